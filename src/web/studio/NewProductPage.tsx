import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Draft } from '#contract/admin-studio.ts'
import { paths } from '#contract/paths.ts'
import { draftSteps, EMPTY_DRAFT, objectionsToDraft, stepsOf, type DraftStep } from '#domain/studio/draft.ts'
import { AdminFrame } from '#web/admin/AdminFrame.tsx'
import { query } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { useRequest } from '#web/api/use-request.ts'
import { Link } from '#web/app/Link.tsx'
import { Button } from '#web/ui/Button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Notice } from '#web/ui/Notice.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { BlankStep } from './BlankStep.tsx'
import { ConflictNotice } from './ConflictNotice.tsx'
import { DrawingStep } from './DrawingStep.tsx'
import { OptionsStep } from './OptionsStep.tsx'
import { PreviewStep } from './PreviewStep.tsx'
import { PriceStep } from './PriceStep.tsx'
import { Progress } from './Progress.tsx'
import { TakenOverFacts } from './TakenOverFacts.tsx'
import { WordsStep } from './WordsStep.tsx'
import { blankQuery, choicesQuery } from './studio-queries.ts'
import { useDraft, type DraftEditor } from './use-draft.ts'

const stepNames: Readonly<Record<DraftStep, string>> = {
  blank: 'Blank',
  drawing: 'Drawing',
  options: 'Colors and sizes',
  price: 'Price',
  words: 'Words',
  preview: 'Preview',
}

/** `/admin/products/new`: from a blank to a product on sale. */
export function NewProductPage() {
  const [parameters, setParameters] = useSearchParams()
  const id = Number(parameters.get('draft') ?? 0)
  return (
    <AdminFrame title="New product">
      {id > 0 ? (
        <StoredDraft key={id} id={id} />
      ) : (
        <Beginning onBegun={(draft) => setParameters({ draft: String(draft) }, { replace: true })} />
      )}
    </AdminFrame>
  )
}

/** A draft exists from the first choice on. */
function Beginning({ onBegun }: { onBegun: (id: number) => void }) {
  const api = useApi()
  const { run, failure } = useRequest()
  const { data: choices } = useQuery(choicesQuery)
  const only = choices?.collections.length === 1 ? choices.collections[0]?.id : undefined
  return (
    <>
      <Steps current="blank" />
      {failure && <Notice>{failure.sentence}</Notice>}
      <BlankStep
        chosen={EMPTY_DRAFT}
        onChoose={(choice) =>
          void run(async () => {
            const content = { ...EMPTY_DRAFT, ...(only !== undefined && { collection: only }), ...choice }
            const draft = await api('POST /api/admin/drafts', { body: { content } })
            const { id, version } = draft
            await api('PUT /api/admin/drafts/:id', { params: { id }, body: { version, step: 'drawing', content } })
            onBegun(id)
          })
        }
      />
    </>
  )
}

function StoredDraft({ id }: { id: number }) {
  const draft = useQuery({
    ...query('GET /api/admin/drafts/:id', { params: { id } }),
    // A form begins with what is stored now.
    gcTime: 0,
  })
  return <QueryBoundary query={draft}>{(loaded) => <DraftForm loaded={loaded} />}</QueryBoundary>
}

function DraftForm({ loaded }: { loaded: Draft }) {
  const editor = useDraft(loaded)
  const heading = useRef<HTMLHeadingElement>(null)
  const [isLeaving, setLeaving] = useState(false)
  const { draft, content, step, conflict, failure, isSaving } = editor
  const blank = useQuery(blankQuery(content.blankId)).data
  if (draft.state === 'creating' || draft.state === 'published')
    return <Progress draft={draft} onChange={editor.setDraft} />

  const go = async (to: DraftStep) => {
    setLeaving(true)
    await editor.goTo(to)
    setLeaving(false)
    heading.current?.focus()
  }
  const steps = stepsOf(content)
  const next = steps[steps.indexOf(step) + 1]
  const missing = objectionsToDraft(content, blank?.colors.length !== 0)
  return (
    <>
      <Steps steps={steps} current={step} missing={missing.map((one) => one.step)} onGo={(to) => void go(to)} />
      <div className="mb-6 grid gap-3">
        {draft.refusal && (
          <Notice title={`Not published: ${stepNames[draft.refusal.step]}`}>{draft.refusal.sentence}</Notice>
        )}
        {failure && <Notice title="Not saved">{failure}</Notice>}
        {conflict && <ConflictNotice editor={editor} conflict={conflict} />}
      </div>
      <h2 ref={heading} tabIndex={-1} className="mb-4 text-xl font-semibold outline-none">
        {stepNames[step]}
      </h2>
      <StepForm editor={editor} />
      <div className="mt-8 flex flex-wrap items-center gap-4 border-t border-line pt-6">
        {next && (
          <Button busy={isLeaving} onClick={() => void go(next)}>
            Next: {stepNames[next]}
          </Button>
        )}
        <Link to={paths.adminProducts} className="link-line">
          All products
        </Link>
        <p role="status" className="text-sm text-ink-soft">
          {isSaving ? 'Saving...' : editor.isSaved() ? 'Saved' : ''}
        </p>
      </div>
    </>
  )
}

function StepForm({ editor }: { editor: DraftEditor }) {
  const { content, step, update } = editor
  switch (step) {
    case 'blank':
      return content.takenOver !== null ? (
        <TakenOverFacts id={content.takenOver} />
      ) : (
        <BlankStep
          chosen={content}
          onChoose={({ blankId, type }) => {
            if (blankId !== content.blankId) update({ blankId, placements: [], colors: [], sizes: [], prices: [] })
            if (type !== content.type) update({ type })
            void editor.goTo('drawing')
          }}
        />
      )
    case 'drawing':
      return <DrawingStep editor={editor} />
    case 'options':
      return <OptionsStep editor={editor} />
    case 'price':
      return <PriceStep editor={editor} />
    case 'words':
      return <WordsStep editor={editor} />
    case 'preview':
      return <PreviewStep editor={editor} />
  }
}

type StepsProps = {
  steps?: readonly DraftStep[]
  current: DraftStep
  missing?: readonly DraftStep[]
  onGo?: (step: DraftStep) => void
}

const Steps = ({ steps = draftSteps, current, missing = [], onGo }: StepsProps) => (
  <nav aria-label="Steps" className="mb-6">
    <ol className="flex flex-wrap gap-x-1 gap-y-1">
      {steps.map((step, index) => (
        <li key={step}>
          <button
            type="button"
            disabled={!onGo}
            onClick={() => onGo?.(step)}
            {...(step === current && { 'aria-current': 'step' as const })}
            className={classNames(
              'min-h-11 rounded-card px-3 text-[0.9375rem] enabled:hover:underline',
              step === current && 'bg-button-quiet font-semibold',
            )}
          >
            {index + 1}. {stepNames[step]}
            {onGo && !missing.includes(step) && step !== 'preview' && <span className="sr-only"> (complete)</span>}
            {onGo && !missing.includes(step) && step !== 'preview' && <span aria-hidden> •</span>}
          </button>
        </li>
      ))}
    </ol>
  </nav>
)
