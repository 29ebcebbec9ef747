import { expect, test } from 'vitest'
import { writeJson, type LaterFile } from './json-file.ts'

test('of 40 photos, one is read at a time, and the file is that with all of them', async () => {
  const photos = Array.from({ length: 40 }, (_, index) => Buffer.alloc(8000, `photo ${index}`))
  let inFlight = 0
  let most = 0
  const laterFile =
    (photo: Buffer): LaterFile =>
    async () => {
      inFlight += 1
      most = Math.max(most, inFlight)
      return photo
    }
  const claims = [photos.slice(0, 30), photos.slice(30)]
  const data = (photosOf: (photo: Buffer) => unknown) => ({
    about: '"quoted", \\ and {}',
    claims: claims.map((group) => ({ photos: group.map(photosOf), words: 'Zelda’s mug' })),
  })
  const wanted = JSON.stringify(
    data((photo) => photo.toString('base64')),
    null,
    2,
  )
  let at = 0
  for await (const chunk of writeJson(data(laterFile))) {
    // To ask for the next piece is to be done with the one before.
    expect(wanted.startsWith(chunk, at)).toBe(true)
    at += chunk.length
    inFlight = 0
  }
  expect({ at, most }).toEqual({ at: wanted.length, most: 1 })
})

test('a photo that was erased meanwhile is null', async () => {
  let text = ''
  for await (const chunk of writeJson({ photos: [async () => undefined, async () => Buffer.from('quux')] }))
    text += chunk
  expect(JSON.parse(text)).toEqual({ photos: [null, 'cXV1eA=='] })
})
