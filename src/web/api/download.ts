import { ApiError } from './client.ts'

/**
 * Saves a file under the name from its `content-disposition` header.
 * @param body posted as JSON, for a file that a call makes of it
 * @throws ApiError with the shop's refusal; the browser's error when the transfer broke off
 */
export async function download(address: string, body?: unknown): Promise<void> {
  const answer = await fetch(address, {
    credentials: 'include',
    ...(body !== undefined && {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
    }),
  })
  if (!answer.ok) throw await errorOf(answer)
  const name = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? 'download'
  saveFile(name, await answer.blob())
}

export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  URL.revokeObjectURL(url)
}

/** The shop's refusal in an answer, or whatever else answered. */
export async function errorOf(answer: Response): Promise<ApiError> {
  const { status, statusText } = answer
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.includes('json')
  return new ApiError({ status, statusText, text, body: isJson ? (JSON.parse(text) as unknown) : undefined })
}
