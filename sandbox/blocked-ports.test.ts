import { expect, test } from 'vitest'
import { BLOCKED_PORTS } from './blocked-ports.ts'

test('fetch refuses to connect to every port that the sandbox avoids', async () => {
  for (const port of BLOCKED_PORTS)
    await expect(fetch(`http://127.0.0.1:${port}`), `port ${port}`).rejects.toMatchObject({
      cause: { message: 'bad port' },
    })
})
