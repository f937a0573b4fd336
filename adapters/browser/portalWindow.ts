/** Opens the portal's window within the click: after an await the browser would block it as a popup. */
import * as PopupRules from '../../domain/model/Popup.ts'

/** A blank window; a tab where popups are blocked; `null` where tabs are blocked as well. */
export const openPortalWindow = (kind: PopupRules.Kind): Window | null => {
  const { screenX: left, screenY: top, outerWidth: width, outerHeight: height } = window
  const name = PopupRules.windowName(kind, crypto.randomUUID())
  const features = PopupRules.features(kind, { left, top, width, height })
  return window.open('', name, features) ?? window.open('', PopupRules.blockedTarget)
}
