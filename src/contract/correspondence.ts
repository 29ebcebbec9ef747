import * as z from 'zod/mini'
import { call } from './call.ts'
import { emailAddress, letterOfText, shortText } from './wire.ts'

const NAME_MAX = 120
const SUBJECT_MAX = 200
export const MESSAGE_MAX = 5000

/** The contact form (specification, section 5); the page judges by the same schema. */
export const ContactMessage = z.object({
  name: shortText(2, NAME_MAX, 'Name must be at least 2 characters'),
  email: emailAddress,
  subject: shortText(3, SUBJECT_MAX, 'Subject must be at least 3 characters'),
  message: letterOfText(10, MESSAGE_MAX, 'Message must be at least 10 characters'),
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
