/** D01 to D03: what is set. */
import * as Result from 'effect/Result'
import { warningsOf, type readConfiguration } from '../../service/config.ts'
import type { Variables } from '../../service/settings.ts'
import { namesSeveral } from '../deployment.ts'
import { isSetting, nearestSetting } from '../settingNamed.ts'
import type { Fault } from './Check.ts'

/** Of names that no setting has and that are nearly one's, and of the configuration that they make. */
export const checkSettings = (
  variables: Variables,
  configuration: ReturnType<typeof readConfiguration>,
): readonly Fault[] => {
  const unknown = Object.keys(variables).flatMap((name): readonly Fault[] => {
    const near = isSetting(name) ? undefined : nearestSetting(name)
    if (near === undefined) return []
    return [{ code: 'D01', sentence: `${name} is set, and no setting has this name.`, fix: `Did you mean ${near}?` }]
  })
  if (Result.isFailure(configuration)) {
    const sentence = configuration.failure.message
    const fix = `tandem config docs says what ${namesSeveral(sentence) ? 'each' : 'it'} may be.`
    return [...unknown, { code: 'D02', sentence, fix }]
  }
  const warnings = warningsOf(configuration.success).map((sentence): Fault => ({
    code: 'D03',
    sentence,
    fix: 'TRUSTED_PROXIES=10.0.0.1, with the addresses of the proxies.',
  }))
  return [...unknown, ...warnings]
}
