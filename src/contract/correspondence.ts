import * as z from 'zod/mini'
import { call } from './call.ts'
import { emailAddress, PLAIN_TEXT_ONLY, plainText } from './wire.ts'

const NAME_MAX = 120
const SUBJECT_MAX = 200
export const MESSAGE_MAX = 5000

const text = (min: number, max: number, tooShort: string) =>
  z
    .string('Required')
    .check(z.trim(), z.minLength(min, tooShort), z.maxLength(max, `Please use at most ${max} characters`))

const line = (min: number, max: number, tooShort: string) =>
  text(min, max, tooShort).check(z.regex(plainText, PLAIN_TEXT_ONLY))

/** Like a line, but it may have several. */
const letter = (min: number, max: number, tooShort: string) =>
  text(min, max, tooShort).check(
    z.refine((written) => plainText.test(written.replace(/[\t\n\r]/g, ' ')), PLAIN_TEXT_ONLY),
  )

/** The contact form (specification, section 5); the page judges by the same schema. */
export const ContactMessage = z.object({
  name: line(2, NAME_MAX, 'Name must be at least 2 characters'),
  email: emailAddress,
  subject: line(3, SUBJECT_MAX, 'Subject must be at least 3 characters'),
  message: letter(10, MESSAGE_MAX, 'Message must be at least 10 characters'),
})
export type ContactMessage = z.output<typeof ContactMessage>

export const correspondenceCalls = {
  contact: call({
    method: 'POST',
    path: '/api/contact',
    access: 'anyone',
    summary: 'Sends a message to customer care. Card numbers in it are masked.',
    body: ContactMessage,
    answer: z.object({ success: z.literal(true) }),
    refusals: ['too_many'],
  }),
}
