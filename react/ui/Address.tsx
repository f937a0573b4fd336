import { useState } from 'react'
import styles from './Address.module.css'
import { Icon } from './Icon.tsx'

/** An address that can be read aloud, compared and copied. What is copied has no spaces. */
export const Address = ({ address, label }: AddressProps) => {
  const [copy, setCopy] = useState<'none' | 'copied' | 'refused'>('none')
  const write = () => {
    navigator.clipboard.writeText(address).then(
      () => setCopy('copied'),
      () => setCopy('refused'),
    )
  }
  return (
    <div className={styles.address}>
      {label !== undefined && <span className={styles.label}>{label}</span>}
      <div className={styles.row}>
        <code className={styles.code} translate="no">
          <Grouped text={address} />
        </code>
        <button
          type="button"
          className={styles.copy}
          aria-label={label === undefined ? 'Copy address' : `Copy ${label}`}
          onClick={write}
        >
          <Icon name={copy === 'copied' ? 'check' : 'copy'} />
        </button>
      </div>
      <span className={styles.told} role="status">
        {copy === 'copied' && 'Copied'}
        {copy === 'refused' && 'The browser did not allow copying. Select the address instead.'}
      </span>
    </div>
  )
}

export type AddressProps = {
  readonly address: string
  /** What it is the address of: "EVM address". */
  readonly label?: string | undefined
}

/** A text that is compared or written down, in the groups of `groupedBy4`. What is selected and copied has no spaces. */
export const Grouped = ({ text }: { readonly text: string }) =>
  groupedBy4(text).map((group, index) => (
    <span key={index} className={styles.group}>
      {group}
    </span>
  ))

/**
 * Groups of 4 characters. `0x` stays with the first group, and a bech32 prefix with its 1 is a group of its own: every
 * address of the kind begins with it.
 */
export const groupedBy4 = (address: string): readonly string[] => {
  const [prefix = ''] = /^[a-z]+1(?=[02-9ac-hj-np-z]{38}$)/.exec(address) ?? []
  const [lead = ''] = /^0x/.exec(address) ?? []
  const [first = '', ...groups] = address.slice(prefix.length + lead.length).match(/.{1,4}/g) ?? []
  return [...(prefix === '' ? [] : [prefix]), lead + first, ...groups]
}
