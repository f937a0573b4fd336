/**
 * The partner of a schedule with a policy: its operator, who applies policies; its server, which decides about what is held by the
 * approver's statements; and those who would like to decide in its place: forgers of statements, and writers of the database.
 */
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Option from 'effect/Option'
import * as Header from '../../domain/model/Header.ts'
import { approverThumb } from '../../domain/service/decisionToken.ts'
import { applyPolicy } from '../../domain/service/policies.ts'
import { operations } from '../../generated/operations.ts'
import { requestOf } from './api.ts'
import { numberOf, textOf, type Row, type View } from './invariants.ts'
import type { Permissions } from './permissions.ts'
import { approver, policies, signedStatement, type PolicyName, type Statement } from './policies.ts'
import type { Sim } from './Sim.ts'
import type { PolicySwarm } from './swarm.ts'
import type { Base, World } from './world.ts'

/** When the partner decides, in ms after it is asked: mostly at once, and at last when the client waits no more. */
const deciding = [0, 500, 3_000, 45_000]

/** When a policy changes, in ms: mostly while others sign. */
const changing = [0, 80, 160, 400, 5_000, 60_000]

const statementLifeS = 60

export class Partner {
  readonly #sim: Sim
  readonly #world: World
  readonly #base: Base
  readonly #view: View
  readonly #permissions: Permissions
  readonly #server = { name: 'partner', alive: true }
  readonly #asked = new Set<string>()
  readonly #statements: string[] = []
  #olderPolicy: Row | undefined

  constructor(world: World, base: Base, view: View, permissions: Permissions) {
    this.#sim = world.sim
    this.#world = world
    this.#base = base
    this.#view = view
    this.#permissions = permissions
  }

  /** The first policy is applied before the others begin, unless its process dies; others come in the middle. */
  async begin({ names, writes }: PolicySwarm): Promise<void> {
    const sim = this.#sim
    const [first, ...later] = names
    this.#olderPolicy = this.#view.rows('policies')[0]
    if (first !== undefined) await this.apply(first)
    for (const name of later) {
      const ms = changing[sim.choose(changing.length, 'when the policy changes')] ?? 0
      sim.timer(this.#server, ms, `the policy changes: ${name}`, () => this.#apply(name))
    }
    if (writes) {
      const ms = changing[sim.choose(changing.length, 'when the policy is written over')] ?? 0
      sim.timer(this.#server, ms, 'the policy is written over', () => this.#writePolicy())
    }
  }

  /** Ends when the policy counts, or when no answer comes. */
  async apply(name: PolicyName): Promise<void> {
    let isOver = false
    const end = () => {
      isOver = true
    }
    const forget = this.#sim.timer(this.#server, patienceMs, 'the operator waits no more', end)
    this.#apply(name, end)
    await this.#sim.run(() => isOver)
    forget()
  }

  #apply(name: PolicyName, ended: () => void = () => undefined): void {
    const up = this.#world.replicas.filter(({ isUp }) => isUp)
    up[this.#sim.choose(up.length, 'where a policy is applied')]?.run(
      applyPolicy(this.#base.partnerId, policies[name].document),
      (exit) => {
        const refusal = Option.getOrUndefined(Exit.findErrorOption(exit))
        if (refusal !== undefined) this.#sim.violate('L', `a policy is refused: ${refusal.message}`)
        ended()
      },
    )
  }

  /** After each commit: what is newly held for the partner, it decides about, and others would like to. */
  committed({ forges, writes }: PolicySwarm): void {
    const sim = this.#sim
    for (const row of this.#view.rows('pending_transactions')) {
      const id = textOf(row, 'id')
      if (this.#asked.has(id)) continue
      this.#asked.add(id)
      const soon = (label: string, run: () => void) =>
        void sim.timer(this.#server, deciding[sim.choose(deciding.length, `when ${label}`)] ?? 0, label, run)
      if (row['review_by'] !== 'user') soon('the partner decides', () => this.#decide(row))
      if (forges) soon('a statement is forged', () => this.#forge(row))
      if (writes && sim.choose(2, 'whether a review is written over') === 1)
        soon('a review is written over', () => this.#writeReview(row))
    }
  }

  /** Mostly it accepts; otherwise it denies, says nothing, or says both. */
  #decide(row: Row): void {
    const choice = this.#sim.choose(6, 'what the partner says')
    if (choice === 4) return
    if (choice !== 3) this.#state(row, 'accept')
    if (choice === 3 || choice === 5) this.#state(row, 'deny')
  }

  #state(row: Row, decision: Statement['decision']): void {
    const statement = this.#statementOf(row, decision)
    const { id, contentHash } = statement
    if (decision === 'accept') this.#permissions.decided({ id, contentHash, by: 'partner', withPassword: false })
    const jws = signedStatement(statement)
    this.#statements.push(jws)
    this.#send(id, jws)
  }

  #statementOf(row: Row, decision: Statement['decision']): Statement {
    const exp = Math.floor(this.#sim.now / 1000) + statementLifeS
    return { id: textOf(row, 'id'), contentHash: textOf(row, 'content_hash'), decision, exp }
  }

  /** A stranger's statement, one about something else, or a true one of the past. */
  #forge(row: Row): void {
    const statement = this.#statementOf(row, 'accept')
    const { id } = statement
    const older = this.#statements[this.#sim.choose(this.#statements.length, 'which statement is used again')]
    switch (this.#sim.choose(3, 'what is forged')) {
      case 0:
        return this.#send(id, signedStatement(statement, true))
      case 1:
        return this.#send(id, signedStatement({ ...statement, contentHash: '00'.repeat(32) }))
      default:
        return this.#send(id, older ?? signedStatement(statement, true))
    }
  }

  #send(id: string, jws: string): void {
    const { method, path } = operations.decidePendingTransaction
    const headers = { [Header.apiKey]: this.#base.secretKey }
    const request = requestOf(method, path, { path: { pendingTransactionId: id }, body: { jws } }, headers)
    const sent = this.#world.network.send(this.#server, 'decision', 'decidePendingTransaction', request)
    this.#sim.fork(this.#server, Effect.ignore(sent))
  }

  /** The older row as it was, or as if it were the newer one; or none. */
  #writePolicy(): void {
    const [current, older] = [this.#view.rows('policies')[0], this.#olderPolicy]
    if (current === undefined || older === undefined) return
    const choice = this.#sim.choose(3, 'how the policy is written over')
    if (choice === 2) return this.#write('delete from "policies"', [])
    const version = numberOf(choice === 0 ? older : current, 'version')
    this.#write('update "policies" set "version" = $1, "sealed" = $2', [version, older['sealed']])
  }

  #writeReview(row: Row): void {
    const id = textOf(row, 'id')
    this.#permissions.wrote(id)
    const accepted = `"state" = 'ACCEPTED', "user_accepted" = true, "partner_accepted" = true, "approver" = $3`
    const anew = '"done_at" = null, "protocol_id" = null, "expires_at" = $2'
    const parameters = [id, this.#sim.now + 300_000, approverThumb(approver)]
    this.#write(`update "pending_transactions" set ${accepted}, ${anew} where "id" = $1`, parameters)
  }

  #write(text: string, parameters: readonly unknown[]): void {
    // A restore ends the writer's connection, too.
    this.#world.rows.execute(text, parameters, undefined, {}).catch(() => undefined)
  }
}

const patienceMs = 5_000
