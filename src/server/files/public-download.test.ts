import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { downloadPublic, isPublicAddress } from './public-download.ts'

const bounds = { bytesMax: 1000, isAnyAllowed: false }

test.each([
  ...['127.0.0.1', '10.1.2.3', '172.31.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0', '224.0.0.1'],
  ...['::1', 'fe80::1', 'fd00::1', '::ffff:10.0.0.1', '::ffff:8.8.8.8', '64:ff9b::1', '2002:a00:1::', 'no address'],
])('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each(['8.8.8.8', '172.32.0.1', '2606:4700::1111'])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

test.each([
  ['http://pictures.example/cap.png', 'https://'],
  ['https://127.0.0.1/cap.png', 'private network'],
  ['https://[::1]/cap.png', 'private network'],
  ['https://2130706433/cap.png', 'private network'],
  ['https://localhost/cap.png', 'private network'],
  ['https://me:secret@pictures.example/cap.png', 'password'],
])('%s is not fetched', async (url, sentence) => {
  await expect(downloadPublic(url, bounds)).rejects.toThrow(sentence)
})

test('a file above the bound ends early, and so do redirects without an end', async () => {
  const server = createServer(({ url }, answer) =>
    url === '/around' ? answer.writeHead(302, { location: '/around' }).end() : answer.end(Buffer.alloc(2_000_000)),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const local = { bytesMax: 2 ** 20, isAnyAllowed: true }
  await expect(downloadPublic(`${at}/large`, local)).rejects.toThrow('larger than 1 MB')
  await expect(downloadPublic(`${at}/around`, local)).rejects.toThrow('more than 3 times')
  server.close()
})
