import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { SiteSettings } from '#site/shop-rules.ts'
import { settingGroups, settingList, type SettingName } from '#contract/settings.ts'
import type { Answer, Payload } from '#web/api/client.ts'
import { isRefusal } from '#web/api/error-sentence.ts'
import { configQuery } from '#web/api/queries.ts'
import { RehearseButton } from '#web/reports/RehearseButton.tsx'
import { useApi } from '#web/api/use-api.ts'
import { ApiForm, FormButton, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import type { TypedFields } from '#web/ui/use-form.ts'
import { AdminFrame } from './AdminFrame.tsx'
import { settingsQuery } from './admin-queries.ts'
import { SettingChanges } from './SettingChanges.tsx'
import { SettingInput, valueIn } from './SettingInput.tsx'
import { useChange } from './use-action.ts'
import { useFloorQuestion } from './use-floor-question.tsx'

type Settings = Answer<'GET /api/admin/settings'>
type Changes = Payload<'PUT /api/admin/settings'>['body']

/** `/admin/settings`: names, texts, figures and terms that the owner may change. */
export function SettingsPage() {
  const settings = useQuery(settingsQuery)
  // Forms begin again with what an undo has restored.
  const [undoCount, setUndoCount] = useState(0)
  return (
    <AdminFrame title="Settings">
      <p className="mb-10 max-w-[44em] text-ink-soft">
        Shoppers see a change as soon as you save it. Every change is in the log and can be undone.
      </p>
      <QueryBoundary query={settings}>
        {(loaded) => (
          <div className="grid gap-14">
            {settingGroups.map((group) => (
              <SettingGroup key={`${group} ${undoCount}`} group={group} settings={loaded} />
            ))}
            <SettingChanges changes={loaded.changes} onUndo={() => setUndoCount((count) => count + 1)} />
          </div>
        )}
      </QueryBoundary>
    </AdminFrame>
  )
}

const names = Object.keys(settingList) as SettingName[]

type GroupProps = { group: (typeof settingGroups)[number]; settings: Settings }

/** Its form begins again after each save. */
function SettingGroup({ group, settings }: GroupProps) {
  const [saveCount, setSaveCount] = useState(0)
  return (
    <section aria-labelledby={idOf(group)}>
      <h2 id={idOf(group)} className="border-b border-line pb-3 text-title">
        {group}
      </h2>
      <GroupForm key={saveCount} group={group} settings={settings} onSaved={() => setSaveCount((count) => count + 1)} />
    </section>
  )
}

const idOf = (group: string): string => group.toLowerCase().replaceAll(' ', '-')

function GroupForm({ group, settings: { values, defaults }, onSaved }: GroupProps & { onSaved: () => void }) {
  const api = useApi()
  const queries = useQueryClient()
  const publish = useChange()
  const { accepted, dialog } = useFloorQuestion()
  /** What the typed values are based on. */
  const [base, setBase] = useState(values)
  /** Another owner's values, after a save was refused because of them. */
  const [others, setOthers] = useState<Partial<SiteSettings>>({})
  const members = names.filter((name) => settingList[name].group === group)

  const save = async (changes: Changes) => {
    try {
      await accepted((query) => publish(() => api('PUT /api/admin/settings', { query, body: changes })))
    } catch (error) {
      if (isRefusal(error, 'setting_changed')) {
        const { values: fresh } = await queries.fetchQuery({ ...settingsQuery, staleTime: 0 })
        const isOther = (name: SettingName) => JSON.stringify(fresh[name]) !== JSON.stringify(base[name])
        setOthers(Object.fromEntries(members.filter(isOther).map((name) => [name, fresh[name]])))
        setBase(fresh)
      }
      throw error
    }
    await queries.refetchQueries({ queryKey: configQuery.queryKey })
    onSaved()
  }
  const changesIn = (typed: TypedFields): Changes =>
    Object.fromEntries(members.map((name) => [name, { was: base[name], value: valueIn(typed, name) }]))

  return (
    <>
      <ApiForm send={(typed) => save(changesIn(typed))} aria-label={group} className="mt-6 grid gap-8">
        {members.map((name) => (
          <div key={name} className="grid max-w-3xl justify-items-start gap-2">
            <SettingInput name={name} value={values[name]} other={others[name]} />
            {JSON.stringify(values[name]) !== JSON.stringify(defaults[name]) && (
              <FormButton
                variant="plain"
                {...(name !== 'logo' && { 'aria-label': `Use the default of ${settingList[name].label}` })}
                send={() => save({ [name]: { was: base[name], value: null } })}
              >
                {name === 'logo' ? 'Remove the logo' : 'Use the default'}
              </FormButton>
            )}
          </div>
        ))}
        <FormNotice />
        <div className="flex flex-wrap items-center gap-4">
          <SubmitButton>Save {group.toLowerCase()}</SubmitButton>
          {members.includes('shipping') && (
            <RehearseButton
              change={(typed) => ({ kind: 'shipping', paidBy: valueIn(typed, 'shipping') as SiteSettings['shipping'] })}
            />
          )}
        </div>
      </ApiForm>
      {dialog}
    </>
  )
}
