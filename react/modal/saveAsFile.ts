/**
 * A text on the user's disk, and nowhere else. Its address is a name that this page alone resolves, for the blink of the
 * click: browsers write the addresses of downloads into their history, and one that held the text would leave it there.
 */
export const saveAsFile = (name: string, text: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  Object.assign(document.createElement('a'), { href: address, download: name }).click()
  // Long enough for the browser to have taken the bytes.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
