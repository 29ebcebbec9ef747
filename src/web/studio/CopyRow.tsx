import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import type { Draft } from '#contract/admin-studio.ts'
import { paths } from '#contract/paths.ts'
import { PREVIEW_SIDE, previewAddress } from '#contract/preview-address.ts'
import { marginsOf } from '#domain/catalog/margin.ts'
import { findPictureModel } from '#domain/pictures/picture-models.ts'
import { resolutionWarning } from '#domain/pictures/resolution.ts'
import { objectionsToDraft, slugFrom } from '#domain/studio/draft.ts'
import { shownPlacement } from '#domain/studio/placement.ts'
import { pricedSizes } from '#domain/studio/prices.ts'
import { formatUsd } from '#shared/money.ts'
import { useAction } from '#web/admin/use-action.ts'
import { useApi } from '#web/api/use-api.ts'
import { Link } from '#web/app/Link.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { Spinner } from '#web/ui/Spinner.tsx'
import { TypeQuestion } from './BlankStep.tsx'
import { ConflictNotice } from './ConflictNotice.tsx'
import { DrawingStep } from './DrawingStep.tsx'
import { OptionsStep } from './OptionsStep.tsx'
import { PriceStep } from './PriceStep.tsx'
import { WordsStep } from './WordsStep.tsx'
import { blankQuery, choicesQuery, drawingsQuery, marginFactsQuery } from './studio-queries.ts'
import { HiddenAreas } from './HiddenAreas.tsx'
import { useDraft, type DraftEditor } from './use-draft.ts'

/** What publishing all needs of a row. */
export type CopyHandle = Pick<DraftEditor, 'flush' | 'setDraft' | 'version'>

type Props = {
  loaded: Draft
  /** Why it could not be published just now. */
  refusal: string | undefined
  onHandle: (id: number, handle: CopyHandle | undefined) => void
  onDeleted: () => void
}

/** A draft of a batch: its picture, its name and what it sells for; the steps of the form open below. */
export function CopyRow({ loaded, refusal, onHandle, onDeleted }: Props) {
  const api = useApi()
  const { act, busy } = useAction()
  const editor = useDraft(loaded)
  const { draft, content, update, failure, conflict } = editor
  const blank = useQuery(blankQuery(content.blankId)).data
  const { id } = loaded

  useEffect(() => {
    onHandle(id, editor)
    return () => onHandle(id, undefined)
  })
  useEffect(() => {
    // What is typed here is newer than what is loaded; only the job's steps are not.
    if (draft.state === 'creating' && loaded.version >= draft.version && loaded.state !== 'open')
      editor.setDraft(loaded)
    // oxlint-disable-next-line react/exhaustive-deps -- Once for each answer.
  }, [loaded])

  const isOpen = draft.state === 'open' || draft.state === 'refused'
  const title = blank?.title ?? `Blank ${content.blankId}`
  const missing = objectionsToDraft(content, blank?.colors.length !== 0)
  return (
    <li className="grid gap-x-5 gap-y-3 rounded-card border border-line p-4 sm:grid-cols-[9rem_minmax(0,1fr)]">
      <RowPicture editor={editor} title={title} />
      <div className="grid content-start gap-3">
        {isOpen ? (
          <>
            <Field
              label={`Name on ${title}`}
              value={content.name}
              maxLength={200}
              onValue={(name) =>
                update({ name, ...(content.slug.startsWith(slugFrom(content.name)) && { slug: slugFrom(name) }) })
              }
            />
            {!content.type && content.blankId !== null && (
              <TypeChoice blankId={content.blankId} title={title} onType={(type) => update({ type })} />
            )}
            <Facts editor={editor} />
            <HiddenAreas content={content} blank={blank} />
            {missing.length > 0 && (
              <ul className="list-disc pl-5 text-sm font-medium text-danger">
                {missing.map(({ sentence }) => (
                  <li key={sentence}>{sentence}</li>
                ))}
              </ul>
            )}
            {(refusal ?? draft.refusal) && <Notice title="Not published">{refusal ?? draft.refusal?.sentence}</Notice>}
            {failure && <Notice title="Not saved">{failure}</Notice>}
            {conflict && <ConflictNotice editor={editor} conflict={conflict} />}
            <Parts editor={editor} />
            <div className="flex flex-wrap items-center gap-x-6">
              {/* Loaded as a page of its own: see paths.newProduct. */}
              <a href={paths.draft(id)} className="link-line">
                Preview and more <span className="sr-only">of {content.name}</span>
              </a>
              <Button
                variant="plain"
                busy={busy}
                aria-label={`Delete draft ${content.name}`}
                onClick={() => void act(() => api('DELETE /api/admin/drafts/:id', { params: { id } })).then(onDeleted)}
              >
                Delete
              </Button>
            </div>
          </>
        ) : (
          <>
            <p className="text-sm text-ink-soft">{title}</p>
            <p className="font-semibold">{content.name}</p>
            {draft.state === 'creating' ? (
              <p role="status" className="flex items-center gap-3">
                <Spinner /> {draft.progress ?? 'The product is being made.'}
              </p>
            ) : (
              <p role="status">
                {content.staysDraft
                  ? 'In the catalog, and hidden.'
                  : content.publishAt === null
                    ? 'On sale.'
                    : 'In the catalog. It goes on sale at its time.'}{' '}
                {draft.productId !== null && (
                  <Link to={paths.product(draft.productId)} className="link-line">
                    Open its page <span className="sr-only">of {content.name}</span>
                  </Link>
                )}
              </p>
            )}
          </>
        )}
      </div>
    </li>
  )
}

const parts = {
  Words: WordsStep,
  'Colors and sizes': OptionsStep,
  Prices: PriceStep,
  Drawing: DrawingStep,
}
type PartName = keyof typeof parts

/** The steps of the form, one open at a time. */
function Parts({ editor }: RowProps) {
  const [open, setOpen] = useState<PartName>()
  const id = useId()
  const Step = open && parts[open]
  return (
    <div>
      <div className="flex flex-wrap gap-2">
        {(Object.keys(parts) as PartName[]).map((name) => (
          <Button
            key={name}
            variant={name === open ? 'quiet' : 'outline'}
            className="px-4!"
            aria-expanded={name === open}
            {...(name === open && { 'aria-controls': id })}
            onClick={() => setOpen(name === open ? undefined : name)}
          >
            {name} <span className="sr-only">of {editor.content.name}</span>
          </Button>
        ))}
      </div>
      {Step && (
        <div id={id} className="mt-3 border-t border-line pt-4">
          <Step editor={editor} />
        </div>
      )}
    </div>
  )
}

type TypeChoiceProps = { blankId: number; title: string; onType: (key: string) => void }

function TypeChoice({ blankId, title, onType }: TypeChoiceProps) {
  const choices = useQuery(choicesQuery).data
  const [isAsking, setAsking] = useState(false)
  return isAsking ? (
    <TypeQuestion
      blankId={blankId}
      types={choices?.types ?? []}
      onType={onType}
      onBack={() => setAsking(false)}
      backText="Not now"
    />
  ) : (
    <div>
      <Button variant="outline" onClick={() => setAsking(true)}>
        Choose the product type <span className="sr-only">of {title}</span>
      </Button>
    </div>
  )
}

type RowProps = { editor: DraftEditor }

function RowPicture({ editor: { content }, title }: RowProps & { title: string }) {
  const blank = useQuery(blankQuery(content.blankId)).data
  const pictures = useQuery(drawingsQuery).data?.pictures
  const placement = shownPlacement(content.placements)
  const model = findPictureModel(content.type)
  const drawing = pictures?.find(({ file }) => file === (placement ?? content.placements[0])?.drawing)
  const src =
    model && placement && blank
      ? previewAddress({ model, placement, color: blank.colors.find(({ name }) => name === content.colors[0]) })
      : drawing?.src
  if (src === undefined) return <div className="aspect-square w-36 rounded-card bg-button-quiet" />
  return (
    <figure className="w-36">
      <img
        src={src}
        alt={`${drawing?.alt ?? 'The drawing'} on ${title}`}
        width={PREVIEW_SIDE}
        height={PREVIEW_SIDE}
        loading="lazy"
        className="aspect-square w-full rounded-card border border-line object-contain"
      />
      {!model && <figcaption className="mt-1 text-sm text-ink-soft">The printer makes its pictures.</figcaption>}
    </figure>
  )
}

const percentFormat = new Intl.NumberFormat('en-US', { style: 'percent' })

/** What it sells for, in which colors, and what a sale leaves; warnings of a loss and of a soft print. */
function Facts({ editor: { content } }: RowProps) {
  const blank = useQuery(blankQuery(content.blankId)).data
  const facts = useQuery(marginFactsQuery(content.blankId)).data
  const pictures = useQuery(drawingsQuery).data?.pictures
  if (!blank || !facts) return <p className="text-sm text-ink-soft">Loading costs...</p>
  const sales = pricedSizes(blank, content, facts).flatMap(({ basis, price }) =>
    basis && price !== undefined && price > 0 ? [{ price, ...marginsOf(price, basis) }] : [],
  )
  const prices = content.prices.map(({ price }) => price).toSorted((a, b) => a - b)
  const [lowest] = prices
  const highest = prices.at(-1)
  const shares = (kind: 'usual' | 'worst') =>
    percentFormat.format(Math.min(...sales.map((sale) => sale[kind].margin / sale.price)))
  const isTooLittle = sales.some(({ worst }) => worst.margin < facts.floor)
  const warnings = content.placements.flatMap((placement) => {
    const area = blank.printAreas.find((one) => one.placement === placement.area)
    const drawing = pictures?.find(({ file }) => file === placement.drawing)?.drawing
    if (!area || !drawing) return []
    const inches = { width: area.width / area.dpi, height: area.height / area.dpi }
    return resolutionWarning(drawing, inches, placement) ?? []
  })
  return (
    <div className="grid gap-2 text-sm">
      <p>
        {lowest !== undefined && highest !== undefined && (
          <>
            <strong>{lowest === highest ? formatUsd(lowest) : `${formatUsd(lowest)} to ${formatUsd(highest)}`}</strong>
            {sales.length > 0 && ` (usual margin at least ${shares('usual')}, worst ${shares('worst')})`}.{' '}
          </>
        )}
        {content.colors.length > 0 && `${content.colors.join(', ')}. `}
        {content.sizes.length > 0 && `${content.sizes.join(', ')}.`}
      </p>
      {isTooLittle && (
        <p className="font-medium text-danger">
          The worst sale leaves too little. Raise the price, or accept it when you publish.
        </p>
      )}
      {warnings.slice(0, 1).map((warning) => (
        <p key={warning} className="font-medium text-danger">
          {warning}
        </p>
      ))}
    </div>
  )
}
