import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { autocommitWrite, type Db } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'

// Proves that an address leads to a shop on this database: the doctor stores a random question with its answer, requests the
// answer from the address, and deletes both.

const nameOf = (question: string) => `address_proof:${question}`
const secret = () => randomBytes(16).toString('hex')

/** Runs `ask` while its question can be answered. @param ask gets the question and the right answer */
export async function withProof<Result>(
  db: Db,
  ask: (question: string, answer: string) => Promise<Result>,
): Promise<Result> {
  const [question, answer] = [secret(), secret()]
  await autocommitWrite(db, (tx) =>
    tx.execute(sql`insert into setting (name, value) values (${nameOf(question)}, ${answer})`),
  )
  try {
    return await ask(question, answer)
  } finally {
    await autocommitWrite(db, (tx) => tx.execute(sql`delete from setting where name = ${nameOf(question)}`))
  }
}

/** @throws Refusal `unknown_call` for a question that no doctor has open */
export async function answerProof(db: Db, question: string): Promise<string> {
  const { rows } = await db.execute<{ value: string }>(sql`select value from setting where name = ${nameOf(question)}`)
  if (!rows[0]) throw new Refusal('unknown_call')
  return rows[0].value
}
