import { useState } from 'react'
import type { AdminDrop } from '#contract/admin-drops.ts'
import type { NumberRule } from '#domain/drops/drop.ts'
import type { Payload } from '#web/api/client.ts'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Field } from '#web/ui/Field.tsx'
import { fromLocalTime, toLocalTime } from '#web/ui/local-time.ts'
import { Select } from '#web/ui/Select.tsx'
import type { TypedFields } from '#web/ui/use-form.ts'

type Input = Payload<'POST /api/admin/drops'>['body']

const PRODUCT = 'product'

/** What the print partner takes. */
const PACE_AT_FIRST = 60

const numberIn = (text: string | undefined): number => Number(text?.trim() || Number.NaN)

/** The fields of a drop. The server checks them, beside each field. */
export function DropEditor({
  drop,
  collections,
  send,
}: {
  drop?: AdminDrop
  collections: readonly { id: string; name: string }[]
  send: (input: Input) => Promise<unknown>
}) {
  const [goods, setGoods] = useState(drop?.collectionId ? `collection:${drop.collectionId}` : PRODUCT)
  const [numberRule, setNumberRule] = useState<NumberRule>(drop?.numberRule ?? 'retire')
  const [isEarlyForReaders, setIsEarlyForReaders] = useState(drop?.isEarlyForReaders ?? false)
  const sendTyped = (typed: TypedFields) =>
    send({
      title: typed['title'] ?? '',
      productId: goods === PRODUCT ? numberIn(typed['productId']) : null,
      collectionId: goods === PRODUCT ? null : goods.slice('collection:'.length),
      startsAt: fromLocalTime(typed['startsAt'] ?? '') ?? '',
      endsAt: fromLocalTime(typed['endsAt'] ?? ''),
      pieces: typed['pieces']?.trim() ? numberIn(typed['pieces']) : null,
      limitPerPerson: numberIn(typed['limitPerPerson']),
      earlyMinutes: typed['earlyMinutes']?.trim() ? numberIn(typed['earlyMinutes']) : 0,
      earlyCodes: (typed['earlyCodes'] ?? '').split(',').flatMap((code) => code.trim() || []),
      roomPerMinute: typed['roomPerMinute']?.trim() ? numberIn(typed['roomPerMinute']) : null,
      ...{ isEarlyForReaders, numberRule },
    })
  return (
    <ApiForm send={sendTyped} aria-label="Drop" className="grid max-w-[46em] gap-5 sm:grid-cols-2">
      <Field label="Title" name="title" required maxLength={80} autoComplete="off" defaultValue={drop?.title ?? ''} />
      <Select
        label="What it sells"
        name="goods"
        value={goods}
        onValue={setGoods}
        options={[
          { value: PRODUCT, label: 'One product' },
          ...collections.map(({ id, name }) => ({ value: `collection:${id}`, label: `Collection: ${name}` })),
        ]}
      />
      {goods === PRODUCT && (
        <Field
          label="Number of the product"
          name="productId"
          required
          inputMode="numeric"
          defaultValue={drop?.productId ?? ''}
          hint="As in its address: 12 in /product/12"
        />
      )}
      <Field
        label="Begins"
        name="startsAt"
        type="datetime-local"
        required
        defaultValue={toLocalTime(drop?.startsAt ?? null)}
        hint="By this device’s clock. Shoppers see their own time."
      />
      <Field
        label="Ends"
        name="endsAt"
        type="datetime-local"
        optional
        defaultValue={toLocalTime(drop?.endsAt ?? null)}
        hint="Empty: when its pieces are sold. Later extends it."
      />
      <Field
        label="Pieces"
        name="pieces"
        inputMode="numeric"
        optional
        defaultValue={drop?.pieces ?? ''}
        hint="Empty: as many as are ordered until it ends. There can be more later, never fewer."
      />
      <Field
        label="Most for each person"
        name="limitPerPerson"
        required
        inputMode="numeric"
        defaultValue={drop?.limitPerPerson ?? 1}
        hint="Judged by email, address, browser and card."
      />
      <Field
        label="Early access, minutes before it begins"
        name="earlyMinutes"
        inputMode="numeric"
        defaultValue={drop?.earlyMinutes ?? 0}
        hint="0: nobody is early."
      />
      <Field
        label="Early with one of these codes"
        name="earlyCodes"
        optional
        autoCapitalize="characters"
        defaultValue={drop?.earlyCodes.join(', ') ?? ''}
        hint="Partners’ codes or your own, with commas between."
      />
      <Field
        label="Waiting room, people let in a minute"
        name="roomPerMinute"
        inputMode="numeric"
        optional
        defaultValue={drop ? (drop.roomPerMinute ?? '') : PACE_AT_FIRST}
        hint="Empty: no waiting room. It opens an hour before the start, and nobody waits in it unless more come."
      />
      <Select
        label="Number of a piece that was refunded"
        name="numberRule"
        value={numberRule}
        onValue={setNumberRule}
        hint="Once the printer has made it, it is always retired."
        options={[
          { value: 'retire', label: 'Is retired: nobody gets it again' },
          { value: 'resell', label: 'Goes to the next buyer' },
        ]}
      />
      <div className="sm:col-span-2">
        <Checkbox
          label="Early for subscribers of the newsletter, by their email"
          checked={isEarlyForReaders}
          onChecked={setIsEarlyForReaders}
        />
      </div>
      <div className="grid justify-items-start gap-4 sm:col-span-2">
        <FormNotice />
        <SubmitButton>{drop ? 'Save' : 'Make draft'}</SubmitButton>
      </div>
    </ApiForm>
  )
}
