import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/db.ts'

/**
 * Moves messages of the contact form and chats of the release before conversations into conversations. An instance of that release may
 * still write such messages while it is replaced, so this runs at every start and once a day.
 */
export async function moveFormerMessages(tx: Tx): Promise<void> {
  await tx.execute(sql`lock table contact_message, contact_answer, chat, chat_message in exclusive mode`)
  await tx.execute(sql`
    insert into conversation (reference, name, email, subject, state, waiting_since, is_unread, started_at)
    select 'message' || id, name, email, subject,
           case when closed_at is null then 'waiting' when exists (select 1 from contact_answer a where a.message_id = m.id) then 'answered' else 'closed' end,
           case when closed_at is null then created_at end, closed_at is null, created_at
    from contact_message m order by id`)
  await tx.execute(sql`
    insert into conversation_message (conversation_id, author, channel, words, written_at, mailed_at)
    select c.id, w.author, w.channel, w.words, w.at, w.at
    from (select id, 'customer' as author, 'contact' as channel, message as words, created_at as at, 0 as place from contact_message
          union all select message_id, 'shop', 'admin', answer, answered_at, id from contact_answer) w
    join conversation c on c.reference = 'message' || w.id
    order by w.id, w.place`)
  await tx.execute(sql`
    insert into conversation (reference, session_id, email, subject, state, waiting_since, is_unread, started_at)
    select 'chat' || id,
           case when not exists (select 1 from conversation o where o.session_id = chat.session_id) then session_id end,
           email, 'Chat', case when waiting_since is null then 'answered' else 'waiting' end, waiting_since, waiting_since is not null, started_at
    from chat order by id
    on conflict (reference) do nothing`)
  await tx.execute(sql`
    insert into conversation_message (conversation_id, author, channel, words, written_at, mailed_at, is_in_chat)
    select c.id, case m.author when 'visitor' then 'customer' else 'shop' end, case m.author when 'visitor' then 'chat' else 'admin' end,
           m.message, m."timestamp", m.mailed_at, true
    from chat_message m join conversation c on c.reference = 'chat' || m.chat_id
    order by m.id`)
  await tx.execute(sql`delete from contact_message`)
  await tx.execute(sql`delete from chat`)
}
