import { z } from 'zod'
import { readMultipart, type UploadedFile } from '#sandbox/kit/multipart.ts'
import type { Call } from '#sandbox/kit/types.ts'
import { timeText, type Needs, type StoredDispute } from './books.ts'
import { mayAccept, mayProvide } from './dispute-shape.ts'
import { invalidRequest, unprocessable } from './errors.ts'
import { jsonFrom, read } from './order-body.ts'
import { getDispute, resolveDispute, sendDisputeEvent } from './payments.ts'
import { link } from './shapes.ts'

/** Limits of documents (developer.paypal.com/docs/disputes/integrate, Documents). */
const FILE_BYTES_MAX = 10 * 1024 * 1024
const types: readonly string[] = ['application/pdf', 'image/jpeg', 'image/png', 'image/gif']

const tracking = z.strictObject({
  carrier_name: z.string().regex(/^[0-9A-Z_]{1,255}$/),
  carrier_name_other: z.string().max(2000).optional(),
  tracking_url: z.string().optional(),
  tracking_number: z.string().min(1).max(255),
})

const evidence = z.strictObject({
  evidence_type: z.string().regex(/^[0-9A-Z_]{1,255}$/),
  evidence_info: z
    .strictObject({
      tracking_info: z.array(tracking).min(1).max(10).optional(),
      refund_ids: z.array(z.string().min(1).max(255)).min(1).max(100).optional(),
    })
    .optional(),
  documents: z
    .array(z.strictObject({ name: z.string().regex(/^[A-Za-z0-9\-_,\s]+\.[A-Za-z]+$/) }))
    .min(1)
    .optional(),
  notes: z.string().min(1).max(2000).optional(),
})

const evidences = z.strictObject({ evidences: z.array(evidence).min(1).max(100) })

const acceptance = z.strictObject({
  note: z.string().min(1).max(2000),
  accept_claim_type: z.literal('REFUND').optional(),
})

/** A body of parts: `input` is JSON, the others are files. */
async function partsOf(call: Call): Promise<{ input: unknown; files: UploadedFile[] }> {
  const parts = await readMultipart(call)
  if (!parts) throw invalidRequest('MALFORMED_REQUEST_JSON')
  const files = [...parts.files.values()]
  for (const { type, bytes } of files) {
    if (!types.includes(type)) throw invalidRequest('INVALID_FILE_TYPE', '/evidence-file')
    if (bytes.length > FILE_BYTES_MAX) throw invalidRequest('FILE_SIZE_EXCEEDED', '/evidence-file')
  }
  return { input: jsonFrom(Buffer.from(parts.fields.get('input') ?? '')), files }
}

const answered = ({ base }: Needs, { id }: StoredDispute) => ({
  links: [link(base(), `/v1/customer/disputes/${id}`, 'self')],
})

/** Only while PayPal waits for the seller, and once. @throws PaypalError */
export async function provideEvidence(needs: Needs, id: string, call: Call) {
  const dispute = getDispute(needs, id)
  const { input, files } = await partsOf(call)
  const wanted = read(evidences, input)
  if (!mayProvide(needs, dispute)) throw unprocessable('ACTION_NOT_ALLOWED_IN_CURRENT_DISPUTE_STATE')
  const named = new Set(wanted.evidences.flatMap(({ documents = [] }) => documents.map(({ name }) => name)))
  if (files.some(({ name }) => !named.has(name)) || named.size !== files.length)
    throw invalidRequest('INVALID_PARAMETER_VALUE', '/evidences/documents')
  const now = needs.kit.clock.now()
  const date = timeText(now)
  // What is unset is left out, as on the wire.
  const sent = JSON.parse(JSON.stringify(wanted.evidences)) as StoredDispute['evidences']
  dispute.evidences.push(...sent.map((one) => ({ ...one, date })))
  Object.assign(dispute, { status: 'UNDER_REVIEW', updatedAt: now } satisfies Partial<StoredDispute>)
  needs.kit.witness('paypal', 'evidence', { dispute: id, documents: [...named] })
  sendDisputeEvent(needs, 'CUSTOMER.DISPUTE.UPDATED', dispute)
  return answered(needs, dispute)
}

/** The seller gives in: the money goes to the payer. @throws PaypalError */
export async function acceptClaim(needs: Needs, id: string, call: Call) {
  const dispute = getDispute(needs, id)
  const { input } = await partsOf(call)
  read(acceptance, input)
  if (!mayAccept(dispute)) throw unprocessable('ACTION_NOT_ALLOWED_IN_CURRENT_DISPUTE_STATE')
  resolveDispute(needs, id, 'lost')
  return answered(needs, dispute)
}
