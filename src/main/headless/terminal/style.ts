export interface Style {
  strong(text: string): string;
  quiet(text: string): string;
  demo(text: string): string;
  warning(text: string): string;
  loss(text: string): string;
  verified(text: string): string;
}

const escape = String.fromCharCode(27);

export function createStyle(colour: boolean): Style {
  const paint =
    (code: number) =>
    (text: string): string =>
      colour ? `${escape}[${code}m${text}${escape}[0m` : text;
  return {
    strong: paint(1),
    quiet: paint(2),
    demo: paint(36),
    warning: paint(33),
    loss: paint(31),
    verified: paint(32),
  };
}
