import { useState } from 'react'
import styles from './Address.module.css'
import { groupedBy4 } from './groupedBy4.ts'
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
          {groupedBy4(address).map((group, index) => (
            <span key={index} className={styles.group}>
              {group}
            </span>
          ))}
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
