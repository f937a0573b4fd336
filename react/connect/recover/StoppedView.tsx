import { useOperator } from '../../operator.tsx'
import { View } from '../../portal/views/View.tsx'
import { Button } from '../../ui/Button.tsx'
import { failureWords } from '../words.ts'
import styles from './recover.module.css'
import type { ViewProps } from './ViewProps.ts'
import { WalletSteps } from './WalletSteps.tsx'

/** Where the recovery stopped. Until all wallets are done, the old shares stay in effect. */
export const StoppedView = ({ recovery, state }: ViewProps<'stopped'>) => {
  const { failure, progress, isFinishing, canGoOn } = state
  const { title, text, isToBeTold } = failureWords(failure, isFinishing ? unknown : unchanged, useOperator().name)
  return (
    <View title={title} lead={<p>{text}</p>}>
      {progress.length > 0 && <WalletSteps progress={progress} finishing={isFinishing ? 'failed' : 'waiting'} />}
      {isToBeTold === true && <p className={styles.sentence}>{failure.sentence}</p>}
      {canGoOn && <Button onClick={() => void recovery.goOn()}>Try again</Button>}
      {!(canGoOn && isFinishing) && (
        <Button variant={canGoOn ? 'quiet' : 'primary'} onClick={() => void recovery.startOver()}>
          Begin again
        </Button>
      )}
    </View>
  )
}

const unchanged = 'Nothing was changed: your wallets are as they were, and your recovery secret still opens them.'

const unknown =
  'This page cannot tell whether a recovery is done. Keep your old recovery secret until you have been shown a new one.'
