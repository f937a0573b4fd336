import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lockFolder } from '../../../adapters/service/database/folderLock.ts'

let home = ''
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tandem-lock-'))
})
afterEach(() => rmSync(home, { recursive: true }))

describe('the lock on the data folder', () => {
  it('keeps a second opener out with one sentence that names the process', () => {
    const folder = join(home, 'database')
    const unlock = lockFolder(folder)

    expect(() => lockFolder(folder)).toThrow(`The data folder ${folder} is in use by process ${process.pid}.`)

    unlock()
    lockFolder(folder)()
    expect(readdirSync(home)).toEqual([])
  })

  it('is taken over from a process that is dead', () => {
    const folder = join(home, 'database')
    const { pid } = spawnSync(process.execPath, ['-e', ''])
    writeFileSync(`${folder}.lock`, `${pid} 1\n`)

    const unlock = lockFolder(folder)

    expect(readFileSync(`${folder}.lock`, 'utf8')).toMatch(new RegExp(`^${process.pid} `))
    unlock()
  })

  it('is taken over when its process number belongs to another process now', () => {
    const folder = join(home, 'database')
    writeFileSync(`${folder}.lock`, `${process.pid} 1\n`)

    expect(() => lockFolder(folder)()).not.toThrow()
  })

  it('is not released by a process that lost it', () => {
    const folder = join(home, 'database')
    const unlock = lockFolder(folder)
    writeFileSync(`${folder}.lock`, '1 another\n')

    unlock()

    expect(existsSync(`${folder}.lock`)).toBe(true)
  })
})
