import type { ContactMessage } from '#contract/messages.ts'
import { maskCardNumbers } from '#domain/messages/card-numbers.ts'
import type { Language } from '#shared/language.ts'
import {
  addAndTellOwner,
  findOrderNamed,
  lockOrderConversation,
  newReference,
  type ConversationNeeds,
} from './conversations.ts'
import { lockOrInsert } from './conversation-store.ts'

/**
 * Stores a contact message and emails it to customer care, with card numbers masked. One that names an order, from the order's email,
 * joins the order's conversation.
 */
export async function receiveMessage(
  shop: ConversationNeeds,
  { email, ...typed }: ContactMessage,
  language: Language,
): Promise<void> {
  const name = maskCardNumbers(typed.name)
  const subject = maskCardNumbers(typed.subject)
  const now = shop.clock.now()
  await shop.db.transaction(async (tx) => {
    const named = await findOrderNamed(tx, { text: `${subject}\n${typed.message}`, email })
    const addressed = named
      ? await lockOrderConversation(tx, named.id, now)
      : {
          conversation: await lockOrInsert(tx, {
            ...{ reference: newReference(), name, email, subject, language, startedAt: now },
          }),
        }
    const words = named ? `${subject}\n\n${typed.message}` : typed.message
    await addAndTellOwner(shop, tx, addressed, { channel: 'contact', words }, now)
  })
}
