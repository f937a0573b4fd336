import type { Readable } from '../../adapters/browser/store.ts'
import { useReadable } from './useReadable.ts'

/** Why a button that decides cannot be pressed yet, or nothing (flows A14). */
export const useDecision = ({ attention }: { readonly attention: Readable<boolean> }): string | undefined => {
  const isAttentive = useReadable(attention)
  return isAttentive ? undefined : 'Available once this window has been in view for a moment.'
}
