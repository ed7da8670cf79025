interface Columns {
  /** `agent_id AS agentId, answer AS answer`: for SELECT. */
  selected: string;
  /** `(agent_id, answer) VALUES (:agentId, :answer)`: for INSERT. */
  inserted: string;
  /** `agent_id = :agentId, answer = :answer`: for UPDATE. */
  updated: string;
}

/** Parts of statements about rows whose members have the names of their columns in camel case, given as one text with spaces. */
export function columnsOf(text: string): Columns {
  const members = text.split(/\s+/);
  const columnOf = (member: string): string =>
    member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const list = (part: (member: string) => string): string => members.map(part).join(', ');
  return {
    selected: list((member) => `${columnOf(member)} AS ${member}`),
    inserted: `(${list(columnOf)}) VALUES (${list((member) => `:${member}`)})`,
    updated: list((member) => `${columnOf(member)} = :${member}`),
  };
}
