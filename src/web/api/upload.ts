import { errorOf } from './download.ts'

/** Sends a file as a request's body. @throws ApiError with the shop's refusal; the browser's error when the transfer broke off */
export async function upload<Answer>(address: string, file: File): Promise<Answer> {
  const answer = await fetch(address, {
    method: 'POST',
    credentials: 'include',
    headers: { 'content-type': file.type || 'application/octet-stream' },
    body: file,
  })
  if (!answer.ok) throw await errorOf(answer)
  return (await answer.json()) as Answer
}
