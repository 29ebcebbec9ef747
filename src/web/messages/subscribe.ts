import { fieldsOf, sentenceOf } from '#web/api/error-sentence.ts'
import type { Api } from '#web/api/client.ts'

/** Asks for the newsletter. @returns what to say beside the form; it is emptied when that went well */
export async function subscribe(api: Api, form: HTMLFormElement): Promise<string> {
  const email = new FormData(form).get('email')
  try {
    await api('POST /api/newsletter', { body: { email: typeof email === 'string' ? email : '' } })
    form.reset()
    return 'Thank you. Please look into your mailbox and confirm.'
  } catch (error) {
    return fieldsOf(error)['email'] ?? sentenceOf(error)
  }
}
