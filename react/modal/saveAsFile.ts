/**
 * Saves a text as a file. It uses a short-lived blob: URL, because browsers keep the URLs of downloads in their
 * history, and a data: URL would leave the text there.
 */
export const saveAsFile = (name: string, text: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  Object.assign(document.createElement('a'), { href: address, download: name }).click()
  // Long enough for the browser to have taken the bytes.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
