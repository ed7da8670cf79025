import { AppError } from '#shared/errors/index.ts';

/** What Node tells about a request that its parser refused. */
export interface ParserError extends Error {
  code?: string;
  rawPacket?: Buffer;
}

/** A packet without a line end is still inside the request line: then the address is what was too long. */
function isInsideRequestLine(packet: Buffer | undefined): boolean {
  return (
    packet !== undefined && /^[A-Z]+ \//.test(packet.toString('latin1', 0, 32)) && !packet.includes('\n')
  );
}

/** Names the refusal for what the parser could not or would not read. */
export function refusalOfParserError(error: ParserError): AppError {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return new AppError(isInsideRequestLine(error.rawPacket) ? 'uri_too_long' : 'headers_too_large');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new AppError('payload_too_large');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new AppError('request_timeout');
    default:
      return new AppError('bad_request');
  }
}
