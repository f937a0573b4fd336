import { useSyncExternalStore } from 'react'
import type { ShortLinkPage, ShortLinkStatus } from '../../../adapters/browser/portal/shortLink.ts'
import { Button } from '../../ui/Button.tsx'
import { Page } from '../../ui/Page.tsx'
import { Footer } from '../Footer.tsx'
import { useDecision } from '../useDecision.ts'
import { View } from '../views/View.tsx'

/** A short link opens once, so the person decides when: a link preview must not use it up. */
export const ShortLink = ({ page }: { readonly page: ShortLinkPage }) => {
  const status = useSyncExternalStore(page.subscribe, page.get)
  const unavailable = useDecision(page)
  const { title, lead, action } = words[status]
  const isBusy = status === 'opening' || status === 'leaving'
  return (
    <Page footer={<Footer host={page.host} app={undefined} />}>
      <View key={isBusy ? 'ready' : status} title={title} lead={lead}>
        {action !== undefined && (
          <Button unavailable={isBusy ? 'The link is being opened.' : unavailable} onClick={() => void page.open()}>
            {action}
          </Button>
        )}
      </View>
    </Page>
  )
}

type Words = { readonly title: string; readonly lead: string; readonly action?: string }

const ready: Words = {
  title: 'Continue from your link',
  lead: 'This link works once. It opens the page on which you go on; there you see which app asks, before anything happens.',
  action: 'Continue',
}

const words: { readonly [S in ShortLinkStatus]: Words } = {
  ready,
  opening: { ...ready, action: 'Opening …' },
  leaving: { ...ready, action: 'Opening …' },
  gone: {
    title: 'This link was already used or has expired',
    lead: 'A link works once, and for ten minutes. Nothing was changed. Go back to where it came from and ask for a new one.',
  },
  refused: {
    title: 'This link is invalid',
    lead: 'It is incomplete, or it is for no page of this host. Nothing was changed. Go back to where it came from and ask for a new one.',
  },
  unreachable: {
    title: 'The link could not be opened',
    lead: 'There was no answer. Nothing was changed. Check your connection and try again; if the link no longer works, ask for a new one.',
    action: 'Try again',
  },
}
