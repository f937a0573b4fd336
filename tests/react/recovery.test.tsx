/** Where the recovery secret is while it is shown: in the field, and in no address that a browser would keep. */
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { RecoveryView, saveAsFile } from '../../react/modal/RecoveryView.tsx'

const secret = '{"backupDecryptionKey":"c0ffee"}'
const operator = 'Corner Bank'
const nothing = () => undefined

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('the recovery secret', () => {
  it('stands in its field, and in no attribute of the page', () => {
    const html = renderToStaticMarkup(
      <RecoveryView {...{ secret, operator }} isLeaving={false} onLeave={nothing} onStay={nothing} onKept={nothing} />,
    )
    const [field = ''] = /<textarea[^>]*>[^<]*<\/textarea>/.exec(html) ?? []

    expect(field).toContain('c0ffee')
    expect(html.replace(field, '')).not.toContain('c0ffee')
  })

  it('is said to be beyond the operator, by name, before it is left', () => {
    const html = renderToStaticMarkup(
      <RecoveryView {...{ secret, operator }} isLeaving onLeave={nothing} onStay={nothing} onKept={nothing} />,
    )

    expect(html).toContain('not even <bdi>Corner Bank</bdi>.')
    expect(html).not.toContain('c0ffee')
  })

  it('is saved by a URL that does not contain it, and that is revoked soon after', async () => {
    vi.useFakeTimers()
    const made: Blob[] = []
    const clicked: object[] = []
    const revoked: string[] = []
    vi.stubGlobal('document', {
      createElement: () => ({
        click(this: object) {
          clicked.push({ ...this })
        },
      }),
    })
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => `blob:${made.push(blob as Blob)}`)
    vi.spyOn(URL, 'revokeObjectURL').mockImplementation((address) => void revoked.push(address))

    saveAsFile('recovery-secret.json', secret)
    vi.runAllTimers()

    expect(clicked).toEqual([expect.objectContaining({ href: 'blob:1', download: 'recovery-secret.json' })])
    expect(await made[0]?.text()).toBe(secret)
    expect(revoked).toEqual(['blob:1'])
  })
})
