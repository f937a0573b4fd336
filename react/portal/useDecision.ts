import type { Readable } from '../../adapters/browser/store.ts'
import { useReadable } from './useReadable.ts'

/** Why a deciding button cannot be pressed yet, or undefined (adapters/browser/attention.ts). */
export const useDecision = ({ attention }: { readonly attention: Readable<boolean> }): string | undefined => {
  const isAttentive = useReadable(attention)
  return isAttentive ? undefined : 'Available once this window has been in view for a moment.'
}
