/**
 * Whether this document cuts its popups off by its own policy: each of them counts as closed as soon as it has left for
 * the portal (flows A15). The platform does not say so, but the document's own answer does.
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
