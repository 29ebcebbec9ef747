CREATE TABLE "newsletter_issue" (
	"id" serial PRIMARY KEY NOT NULL,
	"subject" text NOT NULL,
	"body" text NOT NULL,
	"path" text,
	"button" text,
	"state" text DEFAULT 'draft' NOT NULL,
	"written_at" timestamp with time zone NOT NULL,
	"begun_at" timestamp with time zone,
	"finished_at" timestamp with time zone,
	"reached_id" integer DEFAULT 0 NOT NULL,
	"sent_to" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "newsletter_issue_state_known" CHECK ("newsletter_issue"."state" in ('draft', 'sending', 'sent'))
);
--> statement-breakpoint
ALTER TABLE "dispute" ADD COLUMN "respond_by" timestamp with time zone;