import type { ReactNode } from 'react'
import type { Portal } from '../../../adapters/browser/portal.ts'
import { Button } from '../../ui/Button.tsx'
import { View } from '../views/View.tsx'

/** For a page that cannot do its work, for example without passkeys: the alternative, and the way back. */
export const WayBack = ({ portal, app, title, children }: WayBackProps) => (
  <View title={title} lead={<p>{children}</p>}>
    <Button onClick={() => void portal.leave()}>Go back to {app}</Button>
  </View>
)

export type WayBackProps = {
  readonly portal: Portal
  readonly app: string
  readonly title: string
  readonly children: ReactNode
}
