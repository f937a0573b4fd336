import { useOperator } from '../operator.tsx'
import styles from './OperatorName.module.css'

/** The operator of this page, with their logo if they gave one. */
export const OperatorName = () => {
  const { name, logo } = useOperator()
  return (
    <p className={styles.name}>
      {logo !== null && <img className={styles.logo} src={logo} alt="" />}
      <bdi className={styles.text}>{name}</bdi>
    </p>
  )
}
