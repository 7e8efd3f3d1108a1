import { writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { createClient } from '@hey-api/openapi-ts';
import { generateSource } from 'oazapfts';
import openapiTypescript, { astToString } from 'openapi-typescript';

/**
 * Generates clients with three TypeScript generators from an OpenAPI document: `node generate.ts <document> <folder>`.
 */
const [, , document = '', folder = ''] = process.argv;
await writeFile(`${folder}/oazapfts.ts`, await generateSource(document));
await writeFile(`${folder}/openapi-typescript.ts`, astToString(await openapiTypescript(pathToFileURL(document))));
const output = { path: `${folder}/hey-api`, module: { extension: '.ts' as const } };
await createClient({ input: document, output, logs: { level: 'silent' } });
