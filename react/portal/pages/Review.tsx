import { useEffect, useRef } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Countdown } from '../../ui/Countdown.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { PageTitle } from '../../ui/Page.tsx'
import { FormStack, Heading } from '../../ui/Stack.tsx'
import { CurrentPassword, useCurrentPassword } from '../CurrentPassword.tsx'
import { FailureNotice } from '../FailureNotice.tsx'
import type { Form } from '../Form.ts'
import { ReviewContent } from '../ReviewContent.tsx'
import { chainWords, isDangerous, question, warningWords } from '../reviewWords.ts'
import { useDecision } from '../useDecision.ts'
import { visibleText } from '../visibleText.ts'
import { Working } from '../Working.tsx'
import styles from './Review.module.css'
import { WayBack } from './WayBack.tsx'

/** What a policy holds: the warnings, the content as the co-signer decoded it, and the decision. */
export const Review = ({ portal, state }: Form) => {
  const { field, submit } = useCurrentPassword({ portal, state })
  const unavailable = useDecision(portal)
  const heading = useRef<HTMLHeadingElement>(null)
  const isDeciding = state.status === 'ready'
  // Content that appears by itself is read from its heading on.
  useEffect(() => {
    if (isDeciding) heading.current?.focus({ preventScroll: true })
  }, [isDeciding])
  if (state.status === 'working') return <Working state={state} />

  const { failure, requester, account, passkeys, reviewing } = state
  if (reviewing === undefined) return notShown(portal, requester.app)
  const { review, methods } = reviewing
  const { content, stepUp, by, endsAt, origin } = review
  const hasPassword = stepUp && methods.includes('PASSWORD')
  const hasPasskey = stepUp && methods.includes('PASSKEY') && passkeys && failure?.code !== 'PasskeyUnsupported'
  const mayAccept = by !== 'partner' && (!stepUp || hasPassword || hasPasskey)
  const warnings = warningWords(content.warnings)
  const title = question(content)

  const accept = () => {
    if (!stepUp) return void portal.acceptReview()
    if (!hasPassword) return void portal.acceptWithPasskey()
    submit(portal.acceptWithPassword)
  }
  return (
    <FormStack onSubmit={() => mayAccept && accept()}>
      <PageTitle>{title}</PageTitle>
      <Heading title={title} headingRef={heading}>
        <p>
          <strong>{requester.app}</strong> asks for your signature
          {content.chain !== undefined && (
            <>
              {' on '}
              <strong>{visibleText(chainWords(content.chain))}</strong>
            </>
          )}
          . <Countdown endsAt={endsAt} />
        </p>
        {origin !== undefined && origin !== requester.origin && (
          <p>
            It was asked for from <strong>{origin}</strong>.
          </p>
        )}
      </Heading>
      {warnings.length > 0 && (
        <Notice tone="warning" title="Look at this before you accept">
          <ul className={styles.warnings}>
            {warnings.map(({ title, text, subjects }) => (
              <li key={title}>
                <strong>{title}.</strong> {text}
                {subjects.map((subject) => (
                  <span key={subject} className={styles.subject} translate="no">
                    {visibleText(subject)}
                  </span>
                ))}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <ReviewContent content={content} />
      {failure !== undefined && failure.code !== 'InvalidPassword' && (
        <FailureNotice failure={failure} app={requester.app} />
      )}
      {by !== 'user' && (
        <Notice tone="info" title={by === 'partner' ? `${requester.app} decides` : `${requester.app} decides as well`}>
          {by === 'partner'
            ? 'There is nothing for you to do. You can still deny it.'
            : 'It is signed once both accept.'}
        </Notice>
      )}
      {by !== 'partner' && !mayAccept && (
        <Notice tone="warning" title="You can’t accept in this browser">
          Your password or passkey has to be confirmed here. Use a browser and a device that have your passkey.
        </Notice>
      )}
      {hasPassword && by !== 'partner' && (
        <>
          <CurrentPassword field={field} account={account} label="Your password, to accept" />
          {hasPasskey && (
            <Button variant="secondary" unavailable={unavailable} onClick={() => void portal.acceptWithPasskey()}>
              Accept with my passkey instead
            </Button>
          )}
        </>
      )}
      <div className={styles.decisions}>
        {mayAccept && (
          <Button
            type="submit"
            variant={isDangerous(content.warnings) ? 'danger' : 'primary'}
            unavailable={unavailable}
          >
            {stepUp && !hasPassword ? 'Accept with passkey' : 'Accept'}
          </Button>
        )}
        <Button variant="secondary" onClick={() => void portal.denyReview()}>
          Deny
        </Button>
      </div>
    </FormStack>
  )
}

const notShown = (portal: Form['portal'], app: string) => (
  <WayBack portal={portal} app={app} title="This review can’t be shown">
    Nothing was signed.
  </WayBack>
)
