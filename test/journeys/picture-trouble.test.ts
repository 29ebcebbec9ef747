import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import type { Composition, StoredPicture } from '#contract/admin-pictures.ts'
import type { RefusalBody } from '#contract/refusals.ts'
import { openWorld, type World } from '#sandbox/world.ts'

async function ownerOf(world: World) {
  const owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
  return owner
}
type Owner = Awaited<ReturnType<typeof ownerOf>>

const pictures = async (owner: Owner, kind: string) =>
  (await owner.send<{ pictures: StoredPicture[] }>('GET', `/api/admin/pictures?kind=${kind}`)).body.pictures
const upload = <Body = StoredPicture>(owner: Owner, bytes: Uint8Array, kind = 'drawing') =>
  owner.send<Body>('POST', `/api/admin/pictures?kind=${kind}&alt=Biscuit+asleep`, bytes)

/** The process that decodes and draws, once it runs. */
async function pictureProcess(): Promise<number> {
  for (;;) {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
      try {
        const parent = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
        if (Number(parent) === process.pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('pictures/process'))
          return Number(pid)
      } catch {
        // It ended meanwhile.
      }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

test('an upload that trickles is ended in time with a sentence, nothing is stored, and others are not held up', async () => {
  await using world = await openWorld({ env: { SLOW_CLIENT_S: '1' } })
  const owner = await ownerOf(world)
  const { hostname, port, host } = new URL(world.address)
  const socket = connect(Number(port), hostname)
  let answer = ''
  socket.on('data', (part) => (answer += part.toString())).on('error', () => {})
  socket.write(
    `POST /api/admin/pictures?kind=product&alt=A+hat+on+a+shelf HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${world.address}\r\n` +
      `Cookie: ${owner.cookie()}\r\nContent-Type: image/png\r\nContent-Length: 5000000\r\n\r\n\x89PNG`,
  )
  const drip = setInterval(() => socket.writable && socket.write('x'), 50)
  onTestFinished(() => clearInterval(drip))
  const startedAt = performance.now()
  await new Promise((resolve) => socket.once('close', resolve))
  expect(performance.now() - startedAt).toBeLessThan(15_000)
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  expect(answer).toContain('The upload stopped or was too slow. Nothing was stored; please try again.')
  expect(await pictures(owner, 'product')).toEqual([])
  const png = await sharp({ create: { width: 400, height: 400, channels: 3, background: '#335577' } })
    .png()
    .toBuffer()
  expect((await upload(owner, png, 'product')).status).toBe(200)
}, 60_000)

test('the process is killed while it decodes: the upload is refused, nothing is stored, and the next one is fine', async () => {
  await using world = await openWorld()
  const owner = await ownerOf(world)
  const noise = sharp({
    create: {
      ...{ width: 3000, height: 3000, channels: 3, background: '#000' },
      noise: { type: 'gaussian', mean: 128, sigma: 30 },
    },
  })
  const png = await noise.png({ compressionLevel: 1 }).toBuffer()
  const sent = upload<RefusalBody>(owner, png)
  process.kill(await pictureProcess(), 'SIGKILL')
  const { status, body } = await sent
  expect({ status, message: body.message }).toEqual({
    status: 503,
    message: 'The shop is busy right now. Please try again in a moment.',
  })
  expect(await pictures(owner, 'drawing')).toEqual([])
  expect((await upload(owner, png)).status).toBe(200)
}, 120_000)

test('the shop stops in the middle of composing: after the start all pictures are there, each once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pictures-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const open = () => openWorld({ database: 'embedded', fromScratch: true, env: { DATA_DIR: folder } })
  let id = ''
  let made = 0
  {
    await using world = await open()
    const owner = await ownerOf(world)
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 200"><rect width="300" height="90" fill="#f3eee2"/></svg>`
    const drawing = (await upload(owner, Buffer.from(svg))).body.file
    const request = {
      ...{ drawing, model: 'mug', technique: 'print', views: ['front', 'detail'] },
      placement: { x: 0.5, y: 0.5, width: 0.4, height: 0.4 },
      colors: ['#1f2a44', '#aa3344', '#33aa44'].map((hex) => ({ name: hex, hex })),
    }
    id = (await owner.send<Composition>('POST', '/api/admin/compositions', request)).body.id
    await expect
      .poll(async () => (made = (await pictures(owner, 'composed')).length), { timeout: 60_000, interval: 20 })
      .toBeGreaterThan(0)
  }
  expect(made).toBeLessThan(6)
  await using world = await open()
  const owner = await ownerOf(world)
  const state = async () => (await owner.send<Composition>('GET', `/api/admin/compositions/${id}`)).body.state
  await expect.poll(state, { timeout: 120_000 }).toBe('done')
  expect(await pictures(owner, 'composed')).toHaveLength(6)
}, 300_000)
