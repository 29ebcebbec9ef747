import { useState } from 'react'
import * as z from 'zod/mini'
import { REASON_SENTENCE, type AdminOrder } from '#contract/admin-orders.ts'
import { paths } from '#contract/paths.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import type { Cents } from '#shared/money.ts'
import { useApi } from '#web/api/use-api.ts'
import { Link } from '#web/app/Link.tsx'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { Select } from '#web/ui/Select.tsx'
import { costSentence } from './cost-sentence.ts'
import { statusText } from './StatusLabel.tsx'
import { useAction } from './use-action.ts'

/** Pieces of an order made again without charge, and the orders on either side of that. */
export function OrderReplacement({ order }: { order: AdminOrder }) {
  const [open, setOpen] = useState(false)
  const { replaces, replacements, can } = order
  return (
    <section aria-labelledby="replacement">
      <h2 id="replacement" className="mb-3 text-[1.375rem]">
        Replacement
      </h2>
      {replaces !== null && (
        <p className="mb-3">
          Replaces pieces of <OrderLink number={replaces} />.
        </p>
      )}
      {replacements.length > 0 && (
        <ul className="mb-3 grid gap-1">
          {replacements.map(({ orderNumber, status }) => (
            <li key={orderNumber}>
              Replaced by <OrderLink number={orderNumber} />, {statusText(status)}
            </li>
          ))}
        </ul>
      )}
      {can.replace === null ? (
        <Button variant="outline" aria-haspopup="dialog" onClick={() => setOpen(true)}>
          Replace...
        </Button>
      ) : (
        <p className="text-ink-soft">It can’t be replaced. {can.replace}</p>
      )}
      <Dialog open={open} onClose={() => setOpen(false)} title="Replace">
        {open && <ReplacementForm order={order} onDone={() => setOpen(false)} />}
      </Dialog>
    </section>
  )
}

const OrderLink = ({ number }: { number: string }) => (
  <Link to={paths.adminOrder(number)} className="link-line">
    order {formatOrderNumber(number)}
  </Link>
)

type Pieces = { position: number; quantity: number }[]

/** First which pieces and why, then what it costs. */
function ReplacementForm({ order, onDone }: { order: AdminOrder; onDone: () => void }) {
  const api = useApi()
  const { act, busy, failure } = useAction()
  const [requestKey] = useState(() => crypto.randomUUID())
  const [seen] = useState(() => order.replaceable.reduce((total, { quantity }) => total + quantity, 0))
  const [schema] = useState(() => replacementFields(order))
  const [chosen, setChosen] = useState<{ pieces: Pieces; reason: string; cost: Cents | null }>()
  const params = { number: order.orderNumber }
  if (chosen) {
    const { pieces, reason, cost } = chosen
    const place = async () => {
      const answer = await act(() =>
        api('POST /api/admin/orders/:number/replacement', { params, body: { pieces, reason, seen, requestKey } }),
      )
      if (answer) onDone()
    }
    return (
      <div className="grid gap-5">
        <p>{costSentence(cost)}</p>
        <p>The pieces go to the order’s address, without charge. The customer gets an email.</p>
        {failure && <Notice>{failure.sentence}</Notice>}
        <div className="flex flex-wrap gap-3">
          <Button busy={busy} onClick={() => void place()}>
            Order the replacement
          </Button>
          <Button variant="quiet" onClick={() => setChosen(undefined)}>
            Back
          </Button>
        </div>
      </div>
    )
  }
  return (
    <ApiForm
      schema={schema}
      aria-label="Replace"
      className="grid gap-5"
      send={async ({ pieces, reason }) => {
        const { cost } = await api('POST /api/admin/orders/:number/replacement/preview', { params, body: { pieces } })
        setChosen({ pieces, reason, cost })
      }}
    >
      {order.replaceable
        .filter(({ quantity }) => quantity > 0)
        .map(({ position, quantity }) => (
          <Select
            key={position}
            label={nameOf(order, position)}
            name={`line-${position}`}
            defaultValue={String(quantity)}
            options={Array.from({ length: quantity + 1 }, (_, count) => ({
              value: String(count),
              label: count === 0 ? 'None' : count === 1 ? '1 piece' : `${count} pieces`,
            }))}
          />
        ))}
      <Field
        label="Reason"
        name="reason"
        maxLength={300}
        autoComplete="off"
        hint="Internal. It becomes a note on the new order."
      />
      <FormNotice />
      <div>
        <SubmitButton>See the cost</SubmitButton>
      </div>
    </ApiForm>
  )
}

function nameOf({ lines }: AdminOrder, position: number): string {
  const line = lines.find((candidate) => candidate.position === position)
  return [line?.productName, line?.variantName].filter(Boolean).join(', ')
}

const replacementFields = ({ replaceable }: AdminOrder) =>
  z.pipe(
    z
      .looseObject({ reason: z.string().check(z.trim(), z.minLength(1, REASON_SENTENCE)) })
      .check(
        z.refine(
          (typed) => replaceable.some(({ position }) => Number(typed[`line-${position}`] ?? 0) > 0),
          'Please choose what to replace',
        ),
      ),
    z.transform(({ reason, ...typed }) => ({
      reason,
      pieces: replaceable
        .map(({ position }) => ({ position, quantity: Number(typed[`line-${position}`] ?? 0) }))
        .filter(({ quantity }) => quantity > 0),
    })),
  )
