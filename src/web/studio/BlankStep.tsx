import { useQuery } from '@tanstack/react-query'
import { useId, useState, type ReactNode } from 'react'
import type { ProductTypeContent } from '#contract/admin-product-types.ts'
import { useChange } from '#web/admin/use-action.ts'
import { useApi } from '#web/api/use-api.ts'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { Select } from '#web/ui/Select.tsx'
import { BlankChooser } from './BlankChooser.tsx'
import { blankQuery, choicesQuery, typeFromBlankQuery } from './studio-queries.ts'

type Choice = { blankId: number; type: string }
type Props = { chosen: { blankId: number | null; type: string }; onChoose: (choice: Choice) => void }

/** What is printed on, and what kind of product that is in the shop: asked where no type, or more than one, has the blank. */
export function BlankStep({ chosen, onChoose }: Props) {
  const choices = useQuery(choicesQuery)
  const [asked, setAsked] = useState<number>()
  return (
    <QueryBoundary query={choices}>
      {({ types }) => {
        const choose = (blankId: number) => {
          const [only, ...others] = types.filter((type) => type.blankId === blankId)
          if (blankId === chosen.blankId && types.some(({ key }) => key === chosen.type))
            onChoose({ blankId, type: chosen.type })
          else if (only && others.length === 0) onChoose({ blankId, type: only.key })
          else setAsked(blankId)
        }
        return asked === undefined ? (
          <BlankChooser chosen={chosen.blankId === null ? [] : [chosen.blankId]} onChoose={({ id }) => choose(id)} />
        ) : (
          <TypeQuestion
            blankId={asked}
            types={types}
            onType={(type) => onChoose({ blankId: asked, type })}
            onBack={() => setAsked(undefined)}
          />
        )
      }}
    </QueryBoundary>
  )
}

type QuestionProps = {
  blankId: number
  types: readonly { key: string; name: string }[]
  onType: (key: string) => void
  onBack: () => void
  backText?: string
}

/** What kind of product a blank is: one of the shop's types, or a new one that is made at once. */
export function TypeQuestion({ blankId, types, onType, onBack, backText = 'Choose another blank' }: QuestionProps) {
  const id = useId()
  const blank = useQuery(blankQuery(blankId))
  const draft = useQuery(typeFromBlankQuery(blankId))
  const back = (
    <Button variant="outline" onClick={onBack}>
      {backText}
    </Button>
  )
  return (
    <QueryBoundary query={draft} wayOut={back}>
      {({ content, similar }) => (
        <section aria-labelledby={id} className="grid max-w-3xl gap-5">
          <h2 id={id} className="text-xl font-semibold">
            What kind of product is it?
          </h2>
          <p className="wrap-anywhere text-ink-soft">{blank.data?.title}</p>
          <TypeForm content={content} similar={similar ?? NEW} types={types} onType={onType} back={back} />
        </section>
      )}
    </QueryBoundary>
  )
}

/** Not a key: those are not empty. */
const NEW = ''

type FormProps = {
  content: ProductTypeContent
  similar: string
  types: QuestionProps['types']
  onType: (key: string) => void
  back: ReactNode
}

function TypeForm({ content, similar, types, onType, back }: FormProps) {
  const api = useApi()
  const change = useChange()
  const [key, setKey] = useState(similar)
  const [typed, setTyped] = useState<Partial<ProductTypeContent>>({})
  const made = { ...content, ...typed }
  const isNew = key === NEW
  const text = (name: 'name' | 'plural' | 'sizeLabel') => ({
    name: `content.${name}`,
    value: made[name],
    maxLength: 60,
    autoComplete: 'off',
    onValue: (value: string) => setTyped((before) => ({ ...before, [name]: value })),
  })
  return (
    <ApiForm
      aria-label="Product type"
      className="grid gap-5"
      send={async () => {
        if (isNew)
          await change(() =>
            api('PUT /api/admin/product-types/:key', {
              params: { key: made.key },
              body: { version: 0, content: made },
            }),
          )
        onType(isNew ? made.key : key)
      }}
    >
      <Select
        label="Product type"
        value={key}
        options={[
          { value: NEW, label: `New type: ${made.name}` },
          ...types.map((type) => ({ value: type.key, label: type.name })),
        ]}
        onValue={setKey}
      />
      {isNew && (
        <>
          <div className="grid gap-5 sm:grid-cols-2">
            <Field label="Name" {...text('name')} hint="Of one product." />
            <Field label="Plural" {...text('plural')} hint="The title of its filter." />
            <Field label="What its sizes are called" {...text('sizeLabel')} hint="Size, or Phone model." />
          </div>
          <p className="text-sm text-ink-soft">
            Materials, care{made.sizeTable ? ', the size guide' : ''} and details come from the printer. You can change
            them under Product types at any time. The shop has no photographs of this blank to place a drawing on, so
            the product’s pictures will be the printer’s previews.
          </p>
        </>
      )}
      <FormNotice />
      <div className="flex flex-wrap gap-3">
        <SubmitButton>{isNew ? 'Create type and go on' : 'Go on'}</SubmitButton>
        {back}
      </div>
    </ApiForm>
  )
}
