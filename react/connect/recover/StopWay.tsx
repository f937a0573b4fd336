import type { Recovery } from '../../../adapters/browser/connect.ts'
import { Button } from '../../ui/Button.tsx'
import styles from './recover.module.css'

/** The way out, which is told to the service. */
export const StopWay = ({ recovery }: { readonly recovery: Recovery }) => (
  <div className={styles.ways}>
    <Button variant="quiet" size="small" width="content" onClick={() => void recovery.startOver()}>
      Stop this recovery
    </Button>
  </div>
)
