import { useSyncExternalStore } from 'react'
import type { ShortLinkPage, ShortLinkStatus } from '../../../adapters/browser/portal/shortLink.ts'
import { Button } from '../../ui/Button.tsx'
import { Page } from '../../ui/Page.tsx'
import { Footer } from '../Footer.tsx'
import { useDecision } from '../useDecision.ts'
import { View } from '../views/View.tsx'

/** What a link stands for is not known before it is opened, and opening uses it up: the person says when. */
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
    title: 'This link was used, or is too old',
    lead: 'A link works once, and for ten minutes. Nothing was changed. Go back to where it came from and ask for a new one.',
  },
  refused: {
    title: 'This link leads nowhere',
    lead: 'It is incomplete, or it is for no page of this host. Nothing was changed. Go back to where it came from and ask for a new one.',
  },
  unreachable: {
    title: 'The link could not be opened',
    lead: 'There was no answer. Nothing was changed. Look whether you are online, then try again; if the link is used up by then, ask for a new one.',
    action: 'Try again',
  },
}
