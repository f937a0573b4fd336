/**
 * Whether this document's Cross-Origin-Opener-Policy cuts it off from its popups: `closed` of a popup is then true as
 * soon as it has navigated to the portal. The platform has no API for it, so the document's own response header is
 * read.
 */
let asked: Promise<boolean> | undefined

export const isIsolated = (): Promise<boolean> => (asked ??= ask())

const ask = async (): Promise<boolean> => {
  try {
    const { headers, body } = await fetch(window.location.href, {
      cache: 'force-cache',
      headers: { accept: 'text/html' },
    })
    await body?.cancel()
    return /^same-origin(?!-allow-popups)/.test(headers.get('cross-origin-opener-policy') ?? '')
  } catch {
    return false
  }
}
