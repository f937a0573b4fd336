/**
 * Where Chromium is on this machine. Where there is none and the system's package manager may install it, it does. A
 * run without a browser says so in one line and, in continuous integration, fails.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from 'playwright'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']

/** Outside of PATH, where installers of other systems put it. */
const places = [
  '/usr/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

export const whyNot =
  'The browser tests cannot run here: there is no Chromium. Install it (apt-get install chromium, or npx playwright' +
  ' install chromium) and run npm test again.'

const findChromium = (): string | undefined => {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const onPath = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [process.env['CHROMIUM'] ?? '', ...onPath, ...places, chromium.executablePath()].find(
    (file) => file !== '' && existsSync(file),
  )
}

/** The one that is there, else the one that could be installed, else none. */
export const obtainChromium = (): string | undefined => findChromium() ?? (install() ? findChromium() : undefined)

const install = (): boolean => {
  const apt = privileged('apt-get')
  if (apt === undefined) return false
  process.stderr.write('Installing Chromium by apt-get …\n')
  const packages = ['install', '-y', '--no-install-recommends', 'chromium']
  return run([...apt, ...packages]) || (run([...apt, 'update']) && run([...apt, ...packages]))
}

/** How root runs a command, or a user with sudo without a password. */
const privileged = (command: string): readonly string[] | undefined => {
  if (process.platform !== 'linux' || !run([command, '--version'])) return undefined
  if (process.getuid?.() === 0) return [command]
  return run(['sudo', '-n', 'true']) ? ['sudo', '-n', command] : undefined
}

const run = ([command = '', ...parameters]: readonly string[]): boolean =>
  spawnSync(command, parameters, {
    stdio: 'ignore',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    timeout: 300_000,
  }).status === 0
