/** A text for CSV. It never begins a formula; spreadsheets read full-width signs as the usual ones. */
export function csvCell(text: string): string {
  const harmless = /^\s*[=+\-@\t\r]/.test(text.normalize('NFKC')) ? `'${text}` : text
  return `"${harmless.replace(/"/g, '""').replace(/[\r\n]+/g, ' ')}"`
}
