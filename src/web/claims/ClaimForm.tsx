import { use, useState } from 'react'
import * as z from 'zod/mini'
import type { ClaimLine } from '#contract/claims.ts'
import type { OrderKey } from '#contract/orders.ts'
import { CLAIM_WORDS_MAX, shopperReasons, type ShopperReason } from '#domain/claims/claim.ts'
import { say, sayKnown } from '#words/say.ts'
import type { Word } from '#words/words.ts'
import { useApi } from '#web/api/use-api.ts'
import type { Photo } from '#web/orders/PhotoField.tsx'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { FormContext } from '#web/ui/form-context.ts'
import { TextArea } from '#web/ui/TextArea.tsx'
import { ClaimPhotos } from './ClaimPhotos.tsx'
import { fitIn, FitSelect } from './FitSelect.tsx'
import { firstPieceField, PieceFields, piecesIn } from './PieceFields.tsx'

const reasons = {
  wrong: 'It’s not what I ordered',
  faulty: 'It’s faulty: print, stitching or material',
  damaged: 'It was damaged on the way',
  lost: 'It never arrived',
} as const satisfies Record<ShopperReason, Word>

const fieldsFor = (lines: readonly ClaimLine[]) =>
  z.pipe(
    z.record(z.string(), z.string()),
    z.transform((typed, { issues }) => {
      const reason = shopperReasons.find((one) => one === typed['reason'])
      const pieces = piecesIn(typed, lines)
      const words = typed['words']?.trim() ?? ''
      const refuse = (name: string, message: string) =>
        issues.push({ code: 'custom', input: typed, path: [name], message })
      if (!reason) refuse('reason', 'Please choose what is wrong')
      if (pieces.length === 0) refuse(firstPieceField(lines), 'Please choose at least one item')
      if (words.length < 3) refuse('words', 'Please write what happened')
      if (!reason || pieces.length === 0 || words.length < 3) return z.NEVER
      return { reason, pieces, words, fit: fitIn(typed['fit']) }
    }),
  )

type Props = { lines: readonly ClaimLine[]; orderKey: OrderKey; onSent: (sentence: string) => Promise<unknown> }

export function ClaimForm({ lines, orderKey, onSent }: Props) {
  const api = useApi()
  const [schema] = useState(() => fieldsFor(lines))
  const [submission] = useState(() => crypto.randomUUID())
  const [reason, setReason] = useState<ShopperReason>()
  const [photos, setPhotos] = useState<readonly Photo[]>([])
  return (
    <ApiForm
      schema={schema}
      aria-label={say('Report a problem')}
      className="mt-8 grid gap-8 noscript:hidden"
      send={async (typed) => {
        const body = { ...orderKey, ...typed, submission, photos: photos.map(({ file }) => file) }
        await onSent(sayKnown((await api('POST /api/order/claims', { body })).done))
      }}
    >
      <fieldset>
        <legend className="font-display text-title">{say('What is wrong?')}</legend>
        <div className="mt-3 grid gap-1">
          {shopperReasons.map((one) => (
            <label key={one} className="flex min-h-11 items-center gap-3">
              <input
                type="radio"
                name="reason"
                value={one}
                checked={one === reason}
                onChange={() => setReason(one)}
                className="size-5 shrink-0 accent-(--color-button)"
              />
              {say(reasons[one])}
            </label>
          ))}
        </div>
        <ReasonError />
      </fieldset>
      <PieceFields legend={say('Which items?')} lines={lines} reason={reason} chosen="none" />
      <TextArea
        label={say('What happened?')}
        name="words"
        rows={5}
        maxLength={CLAIM_WORDS_MAX}
        hint={say('What did you expect, and what do you see?')}
      />
      <ClaimPhotos orderKey={orderKey} photos={photos} onPhotos={setPhotos} />
      <FitSelect lines={lines} />
      <FormNotice title={say('Not sent. Nothing you entered is lost.')} />
      <div>
        <SubmitButton busyText={say('Sending...')}>{say('Send report')}</SubmitButton>
      </div>
    </ApiForm>
  )
}

function ReasonError() {
  const error = use(FormContext).errorOf('reason')
  return error ? <p className="text-sm font-medium text-danger">{sayKnown(error)}</p> : null
}
