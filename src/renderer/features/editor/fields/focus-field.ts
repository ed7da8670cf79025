/**
 * Moves the focus from a button that is about to remove itself to the control of its field: the labelled one, the current cell of a
 * grid, else the first. Without a name it is the field around the button, else the named one beside it. The page would lose the focus
 * with the button.
 */
export function focusField(button: Element, field?: string): void {
  const block =
    field === undefined
      ? button.closest('[data-fields]')
      : button.closest('section')?.querySelector(`[data-fields~="${field}"]`);
  const labelled = block?.querySelector<HTMLLabelElement>('label[for]')?.control;
  const cell = block?.querySelector<HTMLElement>('[role=gridcell][tabindex="0"]');
  const [first] = [...(block?.querySelectorAll<HTMLElement>('input, textarea, button') ?? [])].filter(
    (control) => control !== button && !control.matches(':disabled'),
  );
  (labelled ?? cell ?? first)?.focus();
}

/** Moves the focus from a button that is about to remove itself to the heading of the part that it belongs to. */
export function focusHeading(button: Element): void {
  button.closest('section')?.querySelector<HTMLElement>('h1, h2')?.focus();
}
