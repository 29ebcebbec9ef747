import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { installFromDebian } from '../chromium.ts'
import { freePort } from '../free-port.ts'
import { ANSWER_WITHIN_MS, type KeyName, type Screen, type Tab } from './browser.ts'

const [DRIVER, SCREEN] = ['/usr/bin/WebKitWebDriver', '/usr/bin/Xvfb']

const findBrowser = () => globSync('/usr/lib/*/webkit2gtk-*/MiniBrowser').toSorted().at(-1)
const isThere = () => existsSync(DRIVER) && existsSync(SCREEN) && findBrowser() !== undefined

/** @returns whether WebKitGTK is available, after installing it from Debian's packages if missing and permitted */
export function findWebKit(): boolean {
  if (!isThere()) installFromDebian(['webkit2gtk-driver', 'xvfb'])
  return isThere()
}

/** Code points of the WebDriver standard. */
const KEYS: Record<KeyName, string> = { Enter: '\uE007', Tab: '\uE004', Backspace: '\uE003' }

/** MiniBrowser's toolbar is wider than a phone and would keep the window that wide. */
const NARROW_BAR = '* { min-width: 0; padding: 0; margin: 0 } button image { -gtk-icon-source: none }'

/** Starts WebKitGTK on a virtual screen, controlled by its WebDriver. */
export async function openWebKit({ width, height }: Screen): Promise<Tab> {
  const folder = mkdtempSync(join(tmpdir(), 'pawtelier-webkit-'))
  const children: ChildProcess[] = []
  const end = () => {
    for (const { pid } of children.splice(0).toReversed()) if (pid) endGroup(pid)
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', end)
  try {
    mkdirSync(join(folder, 'gtk-3.0'))
    writeFileSync(join(folder, 'gtk-3.0/gtk.css'), NARROW_BAR)
    const screen = spawn(SCREEN, ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      detached: true,
    })
    children.push(screen)
    const [display] = (await once(screen.stdio[3] as Readable, 'data', {
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    })) as [Buffer]
    const port = await freePort()
    children.push(
      spawn(DRIVER, [`--port=${port}`], {
        stdio: 'ignore',
        detached: true,
        env: {
          ...process.env,
          DISPLAY: `:${String(display).trim()}`,
          XDG_CONFIG_HOME: folder,
          XDG_DATA_HOME: folder,
          XDG_CACHE_HOME: folder,
        },
      }),
    )
    const session = await startSession(`http://127.0.0.1:${port}/session`)
    const act = (type: string, actions: object[]) =>
      session('POST', '/actions', { actions: [{ type, id: type, actions }] }).then(() => {})
    const type = (keys: string) =>
      act(
        'key',
        Array.from(keys).flatMap((value) => [
          { type: 'keyDown', value },
          { type: 'keyUp', value },
        ]),
      )
    const run: Tab['run'] = async (program, ...given) => {
      const script = `const done = arguments[arguments.length - 1]
        Promise.resolve().then(() => (${String(program)})(...[...arguments].slice(0, -1)))
          .then((answer) => done({ answer }), (error) => done({ error: String(error) }))`
      const { answer, error } = (await session('POST', '/execute/async', { script, args: given })) as {
        answer: never
        error?: string
      }
      if (error) throw new Error(error)
      return answer
    }

    // The toolbar takes part of the window.
    await session('POST', '/window/rect', { x: 0, y: 0, width, height })
    const bar = height - (await run(() => innerHeight))
    await session('POST', '/window/rect', { x: 0, y: 0, width, height: height + bar })
    return {
      goto: (url) => session('POST', '/url', { url }).then(() => {}),
      run,
      press: (x, y, heldMs) =>
        act('pointer', [
          { type: 'pointerMove', duration: 0, origin: 'viewport', x: Math.round(x), y: Math.round(y) },
          { type: 'pointerDown', button: 0 },
          { type: 'pause', duration: heldMs },
          { type: 'pointerUp', button: 0 },
        ]),
      type,
      key: (name) => type(KEYS[name]),
      picture: async () => Buffer.from((await session('GET', '/screenshot')) as string, 'base64'),
      async close() {
        await session('DELETE', '').catch(() => {})
        end()
      },
    }
  } catch (cause) {
    end()
    throw new Error('WebKitGTK did not start', { cause })
  }
}

type SendCommand = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<unknown>

async function startSession(sessions: string): Promise<SendCommand> {
  const send = async (address: string, method: string, body: object | undefined): Promise<unknown> => {
    const answer = await fetch(address, {
      method,
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      ...(body && { body: JSON.stringify(body) }),
    })
    const { value } = (await answer.json()) as { value: unknown }
    if (!answer.ok) throw new Error(`${method} ${new URL(address).pathname}: ${JSON.stringify(value)}`)
    return value
  }
  const options = { binary: findBrowser(), args: ['--automation'] }
  const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': options } }
  const giveUpAt = Date.now() + ANSWER_WITHIN_MS
  for (;;)
    try {
      const { sessionId } = (await send(sessions, 'POST', { capabilities })) as { sessionId: string }
      return (method, path, body) => send(`${sessions}/${sessionId}${path}`, method, body)
    } catch (problem) {
      // The driver takes a moment to listen.
      if (!(problem instanceof TypeError) || Date.now() > giveUpAt) throw problem
      await new Promise((later) => setTimeout(later, 100))
    }
}

/** The browser is a child of its driver and has children itself. */
function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has already ended.
  }
}
