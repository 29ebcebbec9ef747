ALTER TABLE "conversation" ADD COLUMN "language" text DEFAULT 'en' NOT NULL;--> statement-breakpoint
ALTER TABLE "data_request" ADD COLUMN "language" text DEFAULT 'en' NOT NULL;--> statement-breakpoint
ALTER TABLE "conversation" ADD CONSTRAINT "conversation_language_known" CHECK ("conversation"."language" in ('en', 'de', 'fr', 'es', 'ja'));--> statement-breakpoint
ALTER TABLE "data_request" ADD CONSTRAINT "data_request_language_known" CHECK ("data_request"."language" in ('en', 'de', 'fr', 'es', 'ja'));