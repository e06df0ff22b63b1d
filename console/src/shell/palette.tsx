// ⌘K: goes to a screen, a tenant, a user or a pasted id, and runs the actions of the open screen.
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { Autocomplete, Header, Input, Menu, MenuItem, MenuSection, SearchField } from 'react-aria-components'
import { Icon } from '../parts/icon.tsx'
import { useSections } from './palette-sections.ts'

interface PaletteProps {
  /** What was typed while this was being loaded. */
  readonly typed: RefObject<string>
  readonly onClose: () => void
}

export function Palette({ typed, onClose }: PaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const sections = useSections(text.trim(), () => dialog.current?.close())
  // In the same step in which the field before this one goes away, so that no letter falls between the two.
  useLayoutEffect(() => {
    setText(typed.current)
    dialog.current?.showModal()
  }, [typed])
  const count = sections.reduce((sum, { entries }) => sum + entries.length, 0)
  const run = (key: string) =>
    sections
      .flatMap(({ entries }) => entries)
      .find((each) => each.key === key)
      ?.run()
  return (
    <dialog ref={dialog} className="dialog palette" aria-label="Search and commands" onClose={onClose}>
      <Autocomplete inputValue={text} onInputChange={setText}>
        <SearchField
          aria-label="Search for screens, users, organizations, tenants or an id"
          autoFocus
          className="search"
        >
          <Icon name="search" />
          <Input placeholder="Search for screens, users, organizations or an id" maxLength={256} />
        </SearchField>
        <p role="status" className="visually-hidden">
          {text.trim() === '' ? '' : count === 1 ? '1 result' : `${count} results`}
        </p>
        <Menu
          aria-label="Results"
          className="palette-list"
          onAction={(key) => run(String(key))}
          renderEmptyState={() => <p className="quiet">Nothing matches.</p>}
        >
          {sections.map(({ title, entries }) => (
            <MenuSection key={title}>
              <Header>{title}</Header>
              {entries.map(({ key, title: name, detail }) => (
                <MenuItem key={key} id={key} textValue={name} className="palette-item">
                  <span className="cut">{name}</span>
                  {detail === undefined ? null : <span className="quiet cut">{detail}</span>}
                </MenuItem>
              ))}
            </MenuSection>
          ))}
        </Menu>
      </Autocomplete>
    </dialog>
  )
}
