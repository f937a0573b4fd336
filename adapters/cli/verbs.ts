/** All verbs of `tandem`. */
import { backupVerbs } from './backupVerbs.ts'
import { configVerbs } from './configVerbs.ts'
import { cosignerKeyVerbs } from './cosignerKeyVerbs.ts'
import { deploymentVerbs } from './deploymentVerbs.ts'
import { kekVerbs } from './kekVerbs.ts'
import { partnerVerbs } from './partnerVerbs.ts'
import { policyVerbs } from './policyVerbs.ts'
import { usersVerbs } from './usersVerbs.ts'
import type { Verb } from './Verb.ts'
import { webhookVerbs } from './webhookVerbs.ts'

export const verbs: readonly Verb[] = [
  ...deploymentVerbs,
  ...configVerbs,
  ...backupVerbs,
  ...partnerVerbs,
  ...usersVerbs,
  ...webhookVerbs,
  ...policyVerbs,
  ...kekVerbs,
  ...cosignerKeyVerbs,
]
