/** HTML that is safe to send: only the `html` tag makes it. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand in a template: text and numbers are escaped, markup stays, nothing is left out. */
type Part = string | number | Markup | readonly Markup[] | null;

/** A template whose values cannot become markup. Attribute values stand in double quotes. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let text = strings[0] ?? '';
  for (const [at, part] of parts.entries()) text += `${written(part)}${strings[at + 1] ?? ''}`;
  return new Markup(text);
}

function written(part: Part): string {
  if (part === null) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map((one) => one.text).join('');
  return String(part).replace(/[&<>"'`]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}
