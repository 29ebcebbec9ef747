/** Saves data already in the page as a file, without another request. */
export function downloadJson(name: string, content: unknown): void {
  downloadText(name, JSON.stringify(content, null, 2), 'application/json')
}

export function downloadText(name: string, text: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
