import type { Recovery } from '../../../adapters/browser/connect.ts'
import { Button } from '../../ui/Button.tsx'
import styles from './recover.module.css'

/** Cancels the recovery, at the service too. */
export const StopWay = ({ recovery }: { readonly recovery: Recovery }) => (
  <div className={styles.ways}>
    <Button variant="quiet" size="small" width="content" onClick={() => void recovery.startOver()}>
      Cancel this recovery
    </Button>
  </div>
)
