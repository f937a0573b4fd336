/** A window for the portal, opened by the click itself: nothing is loaded or awaited before it (flows 2.1). */
import * as PopupRules from '../../domain/model/Popup.ts'

/** Blank; in a tab where popups are blocked; `null` where tabs are as well (spec §2). */
export const openPortalWindow = (kind: PopupRules.Kind): Window | null => {
  const { screenX: left, screenY: top, outerWidth: width, outerHeight: height } = window
  const name = PopupRules.windowName(kind, crypto.randomUUID())
  const features = PopupRules.features(kind, { left, top, width, height })
  return window.open('', name, features) ?? window.open('', PopupRules.blockedTarget)
}
