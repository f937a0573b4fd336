/**
 * Checks of the product, with the text that takes each of them out of the source or turns it round: the simulation has to see that it
 * is missing. `npm run simulate -- --mutants all` looks for each and writes the shrunk schedule to `corpus/`.
 */

/** The environment variable of a process that plays schedules: the mutant's name. */
export const mutantVariable = 'TANDEM_SIMULATION_MUTANT'

export type Mutant = {
  readonly name: string
  /** More than one where the product checks the same twice: either alone is enough. */
  readonly edits: readonly Edit[]
}

/** `from` stands exactly once in the file. */
export type Edit = { readonly file: string; readonly from: string; readonly to: string }

const protocol = (name: string) => `domain/service/protocol/${name}.ts`
const generationFile = 'adapters/service/database/DatabaseGeneration.ts'
const fence = 'adapters/service/database/fence.ts'
const transitions = protocol('transitions')
const judging = protocol('judging')

const row = (event: string, from: string, to: string): Edit => ({
  file: transitions,
  from: `${event}: row([${from}`,
  to: `${event}: row([${to}`,
})

/** A claim held outside the database and a run bound to its process say the same about an older copy. */
const noClaims: Edit = {
  file: 'domain/service/protocol.ts',
  from: 'return yield* (yield* Claims).hold({ walletId, protocolId, step: frame.step, requestHash: hash, seedHash, expiresAt })',
  to: 'void [yield* Claims, walletId, protocolId, hash, seedHash, expiresAt]\n  return true',
}

const one = (name: string, file: string, from: string, to: string): Mutant => ({ name, edits: [{ file, from, to }] })

/** The text without the check. Throws where the text is not the one that the mutant was written for. */
export const mutate = (text: string, { file, from, to }: Edit): string => {
  const parts = text.split(from)
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times: ${from}`)
  return parts.join(to)
}

export const mutants: readonly Mutant[] = [
  // What a request may claim.
  {
    name: 'claim: another request of a round ends an open evaluation',
    edits: [row("'other request'", 'nothing, aborts, aborts, inProgress', 'nothing, aborts, aborts, aborts')],
  },
  {
    name: 'claim: a new run supersedes an open evaluation',
    edits: [
      row(
        'superseded',
        "nothing, ends('SUPERSEDED'), ends('SUPERSEDED'), inProgress",
        "nothing, ends('SUPERSEDED'), ends('SUPERSEDED'), ends('SUPERSEDED')",
      ),
    ],
  },
  {
    name: 'claim: another run begins beside an open evaluation',
    edits: [
      row(
        "'another begins'",
        'nothing, inProgress, inProgress, inProgress, inProgress',
        'nothing, aborts, aborts, aborts, aborts',
      ),
    ],
  },
  {
    name: 'claim: an evaluation that lapses spends nothing',
    edits: [
      row(
        'lapsed',
        "nothing, aborts, aborts, spends('ABORTED'), spends('ABORTED')",
        'nothing, aborts, aborts, aborts, aborts',
      ),
    ],
  },
  {
    name: 'claim: an evaluation whose session ends spends nothing',
    edits: [
      row(
        "'session over'",
        "nothing, aborts, aborts, spends('ABORTED'), spends('ABORTED')",
        'nothing, aborts, aborts, aborts, aborts',
      ),
    ],
  },
  one(
    'claim: what an evaluation had at stake is kept whatever ends it',
    protocol('ending'),
    '  if (move.spends) yield* (yield* OtRecords).remove(walletId, run.otId)\n',
    '  void OtRecords\n',
  ),
  {
    name: 'claim: other bytes are taken for the claimed ones, and claims are held by the database alone',
    edits: [{ file: transitions, from: 'claimed.requestHash !== requestHash', to: 'false' }, noClaims],
  },
  {
    name: 'claim: a setup takes any bytes for the round that tells, and no claim outside the database holds its request',
    edits: [
      {
        file: protocol('round'),
        from: "return yield* kill(run, event, 'another request for a round')",
        to: "return plan.kind === 'sign' || frame.step !== tellingStep ? yield* kill(run, event, 'another request for a round') : yield* compute(plan, run, seen, frame.step)",
      },
      {
        file: protocol('round'),
        from: 'step === frame.step && requestHash === hash',
        to: "step === frame.step && (requestHash === hash || plan.kind !== 'sign')",
      },
      {
        file: protocol('round'),
        from: 'if (!isAnswer(rounds, { step, requestHash: hash, responseHash }))',
        to: "if (plan.kind === 'sign' && !isAnswer(rounds, { step, requestHash: hash, responseHash }))",
      },
      {
        file: 'domain/service/protocol.ts',
        from: 'step: frame.step, requestHash: hash, seedHash',
        to: "step: frame.step, requestHash: frame.operation === 'SIGN' ? hash : '', seedHash",
      },
    ],
  },
  one(
    'claim: a second run begins beside the first',
    protocol('sign'),
    "  if (!isWaiting) yield* requireOnlyRun(seen, { kind: 'sign', deviceKeyThumb, digest })\n",
    '  void [isWaiting, requireOnlyRun, deviceKeyThumb]\n',
  ),
  one(
    'claim: a run that cannot be ended holds up no other',
    protocol('ending'),
    "    if (move.kind === 'in progress') return yield* new AnotherRunInProgress()\n",
    '    void [move, AnotherRunInProgress]\n',
  ),
  one(
    'claim: a run that goes on no more is not ended before the next',
    protocol('ending'),
    "if (isOver || run.kind === 'sign') yield* end",
    'if (false) yield* end',
  ),
  one(
    'claim: failed setups are not counted',
    protocol('setups'),
    'if (forgotten + (yield* failedSetups(walletId, since)) < runLimits.failedSetups) return\n',
    'if (walletId !== "") return\n',
  ),
  one(
    'claim: failed setups after a login are not counted',
    protocol('setups'),
    'own < runLimits.failedSetupsAfterLogin',
    'own >= 0',
  ),
  one(
    'claim: failed setups hold up no key generation',
    protocol('keygen'),
    '  yield* requireFewFailures(wallet.id, session, now)\n',
    '',
  ),
  one(
    'claim: failed setups hold up no refresh',
    protocol('refresh'),
    '  yield* requireFewFailures(wallet.id, session, yield* Clock.currentTimeMillis)\n',
    '',
  ),
  one(
    'burn: a wallet that a recovery leaves behind is not locked',
    'domain/service/finishedRecoveries.ts',
    '  yield* (yield* Wallets).setLocked(id, epoch, now)\n',
    '',
  ),
  one(
    'fence: setups that the database has forgotten are not counted',
    protocol('setups'),
    'const forgotten = yield* forgottenSetups(walletId, now)',
    'const forgotten = (void forgottenSetups, 0)',
  ),
  {
    name: 'fence: a row is taken for an older one because a beat has ended meanwhile',
    edits: [
      {
        file: generationFile,
        from: "return verdict === 'current' ? row : yield* rise(false)",
        to: 'return verdict === undefined ? row : yield* rise(false)',
      },
    ],
  },
  // What the marks, the fence and the claims outside the database hold.
  {
    name: 'fence: runs go on over restarts and older databases, and claims are held by the database alone',
    edits: [
      {
        file: protocol('round'),
        from: "return plan.operation === 'confirm' || (yield* (yield* DatabaseGeneration).isCurrent(run.generation, seen.generation))",
        to: 'yield* Effect.void\n  return plan.operation !== undefined || run === undefined || seen === undefined',
      },
      noClaims,
    ],
  },
  {
    name: 'fence: any process may go on with a run, and claims are held by the database alone',
    edits: [{ file: generationFile, from: 'return sighting !== undefined', to: 'return sighting !== null' }, noClaims],
  },
  {
    name: 'fence: an older database is not noticed, and claims are held by the database alone',
    edits: [
      { file: fence, from: 'if (row.fence < Math.max(mark.done, highest)) return', to: 'if (row.fence < 0) return' },
      {
        file: generationFile,
        from: 'const fits = row !== undefined && row.fence >= highest && row.timeline === row.timelineNow',
        to: 'const fits = row !== undefined',
      },
      noClaims,
    ],
  },
  one(
    'fence: an older folder is not noticed',
    fence,
    "if (mark === undefined || isBelow(mark.intended, Math.max(row.fence, highest))) return 'older folder'",
    "if (mark === undefined) return 'older folder'\n  void isBelow",
  ),
  one(
    'fence: an older folder is not refused',
    generationFile,
    '        if (refused !== undefined) return yield* refused\n',
    '        void refused\n',
  ),
  one(
    'fence: a start looks for no round that the database has forgotten',
    generationFile,
    'yield* heartbeatOf(lost.length > 0)',
    'yield* heartbeatOf(false)',
  ),
  one(
    'fence: a running co-signer looks for no round that the database has forgotten',
    'domain/service/protocol.ts',
    "  if (plan.operation !== 'confirm' && (yield* hasForgotten(claimed.run))) return yield* new RunLost()\n",
    '  void hasForgotten\n',
  ),
  one(
    'fence: transfers serve another device than the one that made them',
    protocol('walletStatus'),
    'record.deviceKeyThumb === deviceKeyThumb &&',
    'deviceKeyThumb !== "" &&',
  ),
  one(
    'fence: the mark of a ban is not read',
    protocol('walletStatus'),
    'return highest > epoch || lockedEpoch >= Math.max(epoch, 1)',
    'return highest > epoch || lockedEpoch < 0',
  ),
  // A ban.
  one(
    'burn: a failed check bans nothing',
    protocol('round'),
    "if (outcome.kind === 'ban') return yield* lockWallet(run, outcome.reason)",
    "if (outcome.kind === 'ban') return aborted",
  ),
  {
    name: 'burn: a ban writes no mark, and transfers serve any life of the database',
    edits: [
      {
        file: protocol('ending'),
        from: 'Effect.exit(raiseAll(lockedWatermarks(walletId, epoch, now)))',
        to: 'Effect.exit(raiseAll(lockedWatermarks(walletId, epoch, now).slice(0, 1)))',
      },
      {
        file: protocol('walletStatus'),
        from: '    record.databaseLife === generationParts(run.generation).database &&\n',
        to: '',
      },
    ],
  },
  one(
    'burn: a ban whose marks cannot be written is not written to the database either',
    protocol('ending'),
    '  const { wasActive, isLater } = yield*',
    '  if (Exit.isFailure(raised)) return yield* Effect.failCause(raised.cause)\n  const { wasActive, isLater } = yield*',
  ),
  {
    name: 'burn: a ban is not written to the wallet',
    edits: [
      { file: protocol('ending'), from: '      yield* wallets.setLocked(walletId, epoch, now)\n', to: '' },
      {
        file: protocol('ending'),
        from: 'Effect.exit(raiseAll(lockedWatermarks(walletId, epoch, now)))',
        to: 'Effect.exit(raiseAll(lockedWatermarks(walletId, epoch, now).slice(0, 1)))',
      },
      { file: protocol('ending'), from: '      yield* (yield* OtRecords).eraseUpTo(walletId, epoch, now)\n', to: '' },
    ],
  },
  one(
    'burn: no login leads out of a ban',
    protocol('refresh'),
    'if (!isAfterLock || !isFreshLogin(session, now))',
    'if (!isAfterLock || isFreshLogin(session, now))',
  ),
  {
    name: 'burn: a login in a session that goes on leads out of no ban',
    edits: [
      {
        file: 'adapters/service/database/Sessions.ts',
        from: "              .set({\n                state: 'AUTHENTICATED',",
        to: "              .set((is) => ({\n                state: 'AUTHENTICATED',",
      },
      {
        file: 'adapters/service/database/Sessions.ts',
        from: 'authenticated_at: authentication.authenticatedAt,',
        to: "authenticated_at: is.fn.coalesce('authenticated_at', is.val(now)),",
      },
      {
        file: 'adapters/service/database/Sessions.ts',
        from: '                last_used_at: now,\n                retires_at: null,\n              })',
        to: '                last_used_at: now,\n                retires_at: null,\n              }))',
      },
    ],
  },
  {
    name: 'burn: a refresh leads out of a ban without a login',
    edits: [
      {
        file: protocol('refresh'),
        from: '  if (recovery === undefined) yield* requireFreshIfLocked(session, wallet)\n',
        to: '  void [recovery, session]\n',
      },
      {
        file: 'domain/service/refreshes.ts',
        from: '      if (recovery === undefined) yield* requireFreshIfLocked(session, wallet)\n',
        to: '      void [recovery, requireFreshIfLocked]\n',
      },
    ],
  },
  {
    name: 'burn: a locked wallet signs',
    edits: [
      { file: protocol('walletStatus'), from: '  yield* requireNotLocked(wallet.id, wallet.epoch)\n', to: '' },
      {
        file: protocol('walletStatus'),
        from: "  if (wallet.state === 'BURNED' || (yield* isReattached(wallet))) return yield* new KeyShareLocked()\n",
        to: '',
      },
    ],
  },
  // The new sharing takes the place of the old one.
  one(
    'promote: a backup is made for a key that nobody vouches for',
    'domain/client/backUp.ts',
    'RootKey.isSignedRecipient(root, signed, bytes)',
    '(root.length > 0 || RootKey === undefined)',
  ),
  {
    name: 'promote: the root key is taken from the record of the key that it vouches for',
    edits: [
      {
        file: 'domain/client/backUp.ts',
        from: 'passwords.flatMap(({ id, status, sigDerivedPublicKey, rootSignature }) =>',
        to: 'passwords.flatMap(({ id, status, sigDerivedPublicKey, rootPublicKey = "", rootSignature = "" }) =>',
      },
      {
        file: 'domain/client/backUp.ts',
        from: '[passwordRecipient(userId, id, sigDerivedPublicKey, rootSignature)]',
        to: '[passwordRecipient(userId, id, sigDerivedPublicKey, rootSignature + rootPublicKey)]',
      },
      {
        file: 'domain/client/backUp.ts',
        from: 'RootKey.isSignedRecipient(root, signed, bytes)',
        to: 'RootKey.isSignedRecipient(bytes.length > 64 ? bytes.slice(64) : root, signed, bytes.slice(0, 64))',
      },
    ],
  },
  one(
    'promote: a recovery key gets a backup that the root key did not sign',
    'domain/client/backUp.ts',
    'return signed !== undefined && bytes !== undefined &&',
    "return signed?.kind === 'RECOVERY' || signed !== undefined && bytes !== undefined &&",
  ),
  {
    name: 'promote: a device makes no backups of its new share, and a refresh needs none',
    edits: [
      {
        file: protocol('refresh'),
        from: '  if (!recipients.every(isStaged)) return yield* new BackupsMissing()\n',
        to: '  void [isStaged, BackupsMissing]\n',
      },
      {
        file: 'domain/client/refreshKeys.ts',
        from: '    yield* storeBackups(userId, [shareText])\n',
        to: '    void [storeBackups, userId, shareText]\n',
      },
    ],
  },
  one(
    'promote: the provider does not keep its new half',
    protocol('refresh'),
    '  if (ot !== undefined) yield* putOtRecord(run, ot, { epoch, shareId }, now)\n  yield* endOthers',
    '  yield* (yield* ProviderShares).remove(walletId, shareId)\n  yield* endOthers',
  ),
  // The old sharing is kept until the new one stands.
  one(
    'retain: a device gives up its share before the co-signer has the next',
    'domain/client/refreshKeys.ts',
    '  yield* (yield* ShareStore).stage(candidate)\n',
    '  yield* (yield* ShareStore).stage(candidate)\n  yield* (yield* ShareStore).promote(candidate.walletId, new Uint8Array(0))\n',
  ),
  one(
    'retain: no device brings back what the provider has lost',
    protocol('reattach'),
    'return isForward && epoch >= highest ? wallet : yield* new KeyShareOutOfDate()',
    'return yield* new KeyShareOutOfDate()\n  void [isForward, highest]',
  ),
  // Nothing of it stays after its acknowledgement.
  one(
    'acknowledge: the earlier half of the provider stays',
    protocol('refresh'),
    '      yield* (yield* ProviderShares).removeOthers(wallet.id, [shareId, ...prepared.map((one) => one.shareId)])\n',
    '      void prepared\n',
  ),
  one(
    'acknowledge: the transfers of the earlier sharing stay',
    protocol('refresh'),
    '      yield* (yield* OtRecords).removeOthers(wallet.id, shareId)\n',
    '      void OtRecords\n',
  ),
  one(
    'acknowledge: the backups of the earlier sharing stay',
    protocol('refresh'),
    '      yield* (yield* KeyShares).removeOthers(wallet.id, { epoch: wallet.epoch, shareId })\n',
    '      void KeyShares\n',
  ),
  one(
    'acknowledge: the share key of the earlier sharing stays',
    protocol('refresh'),
    '  yield* (yield* ShareKeys).destroyOthers({ walletId: frame.walletId, epoch: frame.epoch, shareId })\n',
    '  void ShareKeys\n',
  ),
  // What a person gets back.
  one(
    'backup: those of the sharing that stands go with its acknowledgement',
    protocol('refresh'),
    '      yield* (yield* KeyShares).removeOthers(wallet.id, { epoch: wallet.epoch, shareId })\n',
    '      yield* (yield* KeyShares).removeOthers(wallet.id, { epoch: wallet.epoch, shareId })\n      yield* (yield* KeyShares).remove(wallet.id, shareId)\n',
  ),
  one(
    'backup: those that were not stored with a first key are never stored',
    'domain/client/createWallet.ts',
    "      : orWaits('a backup of a key share', backUpOrGiveBack(userId, share))\n",
    '      : Effect.void\n',
  ),
  one(
    'backup: what is sealed to the recovery key is not the share',
    'domain/client/backUp.ts',
    'plaintext: Redacted.value(shareText),\n        ephemeralSecret',
    'plaintext: Redacted.value(shareText).slice(1),\n        ephemeralSecret',
  ),
  one(
    'backup: a wallet keeps its old root key where a recovery moves its shares to the new one',
    'domain/service/finishedRecoveries.ts',
    'const next = { epoch: wallet.epoch + 1, shareId, rootPublicKey }',
    'const next = { epoch: wallet.epoch + 1, shareId, ...(rootPublicKey === "" ? { rootPublicKey } : {}) }',
  ),
  one(
    'acknowledge: the share key of the sharing that stands goes with the earlier ones',
    protocol('refresh'),
    '  yield* (yield* ShareKeys).destroyOthers({ walletId: frame.walletId, epoch: frame.epoch, shareId })\n',
    '  yield* (yield* ShareKeys).destroyAll(frame.walletId)\n',
  ),
  // What the audit records.
  one(
    'audit: a ban is not recorded',
    protocol('ending'),
    "      yield* audit(run, isLater ? `${run.kind}.aborted` : 'wallet.burned', reason)\n",
    '',
  ),
  one('audit: a finished run is not recorded', protocol('round'), '  yield* audit(run, `${plan.kind}.done`)\n', ''),
  one(
    'audit: a failed check is not recorded',
    protocol('round'),
    '    yield* audit(run, `${plan.kind}.aborted`, outcome.reason)\n',
    '',
  ),
  one(
    'audit: a denied signature is not recorded',
    judging,
    "  yield* (yield* Audit).record({\n    event: 'signature.denied',",
    "  void Audit\n  void ({\n    event: 'signature.denied',",
  ),
  one(
    'audit: records that are kept forever are deleted',
    'adapters/service/upkeep.ts',
    'const { audits, unverifiedUsers } = retention',
    'const { audits = 0, unverifiedUsers } = retention',
  ),
  // A run that is over.
  one(
    'upkeep: a run that is left open stays',
    'adapters/service/upkeep.ts',
    "      yield* step('runs', ending.sweep())\n",
    '      void ending\n',
  ),
  one(
    'upkeep: what an ended run has computed stays',
    'adapters/service/database/Runs.ts',
    '        yield* forget({ walletId: id.walletId, protocolId: id.protocolId })\n',
    '        void forget\n',
  ),
  {
    name: 'upkeep: the seed of an ended run stays, and the database does not refuse it',
    edits: [
      {
        file: 'adapters/service/database/Runs.ts',
        from: '({ state, reason, sealed_seed: null })',
        to: '({ state, reason })',
      },
      {
        file: 'adapters/service/database/migrations/wallets.ts',
        from: "check (sealed_seed is null or state in ('WAITING', 'RUNNING', 'CONSUMED')),",
        to: '',
      },
    ],
  },
  // What a policy denies, holds and counts.
  one(
    'policy: an older policy counts',
    'domain/service/policies.ts',
    'if (stored.version < version)',
    'if (stored.version < 0)',
  ),
  one(
    'policy: a policy that is applied between two requests changes nothing',
    protocol('round'),
    "if (plan.kind === 'sign' && (yield* policyVersion(run.partnerId)) !== (run.policyVersion ?? 0)) {",
    'if ((yield* policyVersion(run.partnerId)) < 0) {',
  ),
  one(
    'policy: a limit of a partner is read without a lock',
    judging,
    "if (queries.some((query) => query.of !== 'wallet')) yield* (yield* Policies).lock(wallet.partnerId)",
    'void Policies',
  ),
  one(
    'policy: a limit counts what is signed when it is done',
    judging,
    '  yield* (yield* Spends).add(spend)\n',
    '  void spend\n',
  ),
  one(
    'policy: an acceptance is for any payload',
    judging,
    'pending.contentHash === contentHash && pending.userId',
    'contentHash !== undefined && pending.userId',
  ),
  one('policy: an acceptance is not used up', judging, "{ ...pending, state: 'DONE', doneAt: now }", 'pending'),
  one('policy: what is held is held anew', judging, '?? fitting[0]', '?? undefined'),
  one(
    'policy: one of two acceptances is enough',
    'domain/service/PendingTransaction.ts',
    "(pending.by === 'partner' || userAccepted) && (pending.by === 'user' || partnerAccepted)",
    'userAccepted || partnerAccepted',
  ),
  one('policy: what a rule denies is signed', judging, "if (effect === 'deny')", "if (effect === 'none')"),
  {
    name: 'policy: an acceptance has no end',
    edits: [
      { file: judging, from: '.filter((pending) => isLive(pending, now))', to: '' },
      {
        file: 'adapters/service/database/PendingTransactions.ts',
        from: ".where('expires_at', '>', now)",
        to: ".where('expires_at', '>', now - now)",
      },
    ],
  },
  one(
    'policy: a review has no end',
    'domain/service/PendingTransaction.ts',
    "(state === 'PENDING' || state === 'ACCEPTED') && isInTime(expiresAt, reviewLimits.longest, now)",
    "(state === 'PENDING' || state === 'ACCEPTED') && now !== expiresAt",
  ),
  {
    name: 'policy: what was denied can be accepted',
    edits: [
      {
        file: 'domain/service/PendingTransaction.ts',
        from: "(state === 'PENDING' || state === 'ACCEPTED') && isInTime(expiresAt, reviewLimits.longest, now)",
        to: "state !== 'DONE' && isInTime(expiresAt, reviewLimits.longest, now)",
      },
      {
        file: 'domain/service/reviews.ts',
        from: "if (pending.userAccepted) return undefined\n      if (pending.state !== 'PENDING')",
        to: "if (pending.userAccepted) return undefined\n      if (pending.state === 'DONE')",
      },
      {
        file: 'domain/service/reviews.ts',
        from: "if (pending.partnerAccepted && pending.approver === thumb) return undefined\n      if (pending.state !== 'PENDING')",
        to: "if (pending.partnerAccepted && pending.approver === thumb) return undefined\n      if (pending.state === 'DONE')",
      },
    ],
  },
  one(
    'policy: a review counts as it is written in the database',
    'domain/service/provenPending.ts',
    'equal(fromHex(pending.proof) ?? new Uint8Array(0), hexToBytes(proof))',
    '[equal, fromHex, hexToBytes, proof].length > 0',
  ),
  one(
    'policy: anybody decides for the partner',
    'domain/service/decisionToken.ts',
    'const said = yield* (yield* Jwts).read(jws, approver)',
    'const said = yield* (yield* Jwts).read(jws, approver).pipe(Effect.map((read) => Option.orElse(read, () => Option.some(JSON.parse(Buffer.from(jws.split(".")[1] ?? "", "base64url").toString()) as unknown))))',
  ),
  // What an older database has forgotten.
  {
    name: 'restore: another key is made for a wallet whose key the database has forgotten',
    edits: [
      {
        file: 'domain/service/wallets.ts',
        from: '!hasKey(wallet) && !forgotten.some(({ id }) => id === wallet.id)',
        to: '!hasKey(wallet) && forgotten.length >= 0',
      },
      {
        file: protocol('keygen'),
        from: '  yield* requireNotLocked(wallet.id, wallet.epoch)\n  if (wallet.state',
        to: '  void requireNotLocked\n  if (wallet.state',
      },
    ],
  },
  one(
    'restore: what an older database has forgotten does not come back',
    protocol('reattach'),
    'if (!hasKey(wallet) && !(yield* isForgotten(wallet)))',
    'if (!hasKey(wallet) || isForgotten === undefined)',
  ),
  one(
    'promote: a recovery replaces a half that opens by one whose share key an older folder lacks',
    'domain/service/finishedRecoveries.ts',
    ' || sealedIn !== provided.epoch',
    '',
  ),
  one(
    'promote: a recovery raises no mark and destroys no share key',
    'domain/service/finishedRecoveries.ts',
    '  for (const walletId of walletIds) {\n    if (finishedIds',
    '  for (const walletId of walletIds.slice(walletIds.length)) {\n    if (finishedIds',
  ),
  // What was answered stands.
  {
    name: 'commit: a transaction is said to be sent, and is not',
    edits: [
      {
        file: 'domain/service/protocol.ts',
        from: "import { sha256 } from '@noble/hashes/sha2.js'\n",
        to: "import { sha256 } from '@noble/hashes/sha2.js'\nimport { keccak_256 } from '@noble/hashes/sha3.js'\n",
      },
      {
        file: 'domain/service/protocol.ts',
        from: 'return hexToBytes((yield* (yield* Chain).broadcast(signed, sending.chainId)).slice(2))',
        to: 'return keccak_256(signed)',
      },
    ],
  },
  one(
    'commit: what an earlier run has sent is forgotten',
    'domain/service/protocol.ts',
    'refusal instanceof BroadcastRefused ? yield* sentBefore(run) : undefined',
    '(void [BroadcastRefused, sentBefore], undefined)',
  ),
  {
    name: 'commit: a step is computed anew with another seed, its answer is not compared, and claims are held by the database alone',
    edits: [
      {
        file: protocol('round'),
        from: "case 'compute':\n      return yield* compute(plan, run, seen, frame.step)",
        to: "case 'compute':\n      return yield* compute(plan, { ...run, sealedSeed: yield* freshSeed(run) }, seen, frame.step)",
      },
      {
        file: protocol('round'),
        from: '(round.responseHash ?? responseHash) === responseHash',
        to: 'responseHash.length > 0',
      },
      noClaims,
    ],
  },
  one(
    'commit: an answer is written to the round of another request',
    protocol('round'),
    'one.step === step && one.requestHash === requestHash',
    "one.step === step && requestHash !== ''",
  ),
  {
    name: 'commit: a signature is computed anew with another seed, its answer is not compared, and claims hold no seed',
    edits: [
      {
        file: protocol('round'),
        from: "case 'compute':\n      return yield* compute(plan, run, seen, frame.step)",
        to: "case 'compute':\n      return yield* compute(plan, plan.kind === 'sign' ? { ...run, sealedSeed: yield* freshSeed(run) } : run, seen, frame.step)",
      },
      {
        file: protocol('round'),
        from: '(round.responseHash ?? responseHash) === responseHash',
        to: 'responseHash.length > 0',
      },
      {
        file: 'domain/service/protocol.ts',
        from: 'requestHash: hash, seedHash, expiresAt })',
        to: "requestHash: hash, seedHash: '', expiresAt })",
      },
    ],
  },
]
