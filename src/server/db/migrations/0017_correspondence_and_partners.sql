CREATE TABLE "call_request" (
	"id" serial PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"email" text,
	"topic" text NOT NULL,
	"times" jsonb NOT NULL,
	"time_zone" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"agreed_time" timestamp with time zone,
	"reply" text,
	"created_at" timestamp with time zone NOT NULL,
	"answered_at" timestamp with time zone,
	CONSTRAINT "call_request_state_known" CHECK ("call_request"."state" in ('waiting', 'agreed', 'declined'))
);
--> statement-breakpoint
CREATE TABLE "chat" (
	"id" serial PRIMARY KEY NOT NULL,
	"session_id" text,
	"email" text,
	"started_at" timestamp with time zone NOT NULL,
	"waiting_since" timestamp with time zone,
	CONSTRAINT "chat_sessionId_unique" UNIQUE("session_id")
);
--> statement-breakpoint
CREATE TABLE "chat_message" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"chat_id" integer NOT NULL,
	"session_id" text NOT NULL,
	"author" text NOT NULL,
	"message" text NOT NULL,
	"timestamp" timestamp with time zone NOT NULL,
	"mailed_at" timestamp with time zone,
	CONSTRAINT "chat_message_author_known" CHECK ("chat_message"."author" in ('visitor', 'shop'))
);
--> statement-breakpoint
CREATE TABLE "contact_answer" (
	"id" serial PRIMARY KEY NOT NULL,
	"message_id" integer NOT NULL,
	"answer" text NOT NULL,
	"answered_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "partner_application" (
	"id" serial PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"name" text NOT NULL,
	"channel" text NOT NULL,
	"audience" text NOT NULL,
	"message" text NOT NULL,
	"email" text,
	"state" text DEFAULT 'waiting' NOT NULL,
	"reply" text,
	"created_at" timestamp with time zone NOT NULL,
	"decided_at" timestamp with time zone,
	CONSTRAINT "partner_application_state_known" CHECK ("partner_application"."state" in ('waiting', 'accepted', 'declined'))
);
--> statement-breakpoint
CREATE TABLE "partner_proposal" (
	"id" serial PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"version" smallint NOT NULL,
	"share_basis_points" smallint NOT NULL,
	"valid_from" timestamp with time zone NOT NULL,
	"offered_at" timestamp with time zone NOT NULL,
	"accepted_at" timestamp with time zone,
	CONSTRAINT "partner_proposal_userId_version_unique" UNIQUE("user_id","version"),
	CONSTRAINT "partner_proposal_share_in_range" CHECK ("partner_proposal"."share_basis_points" between 0 and 1500)
);
--> statement-breakpoint
CREATE TABLE "subscriber" (
	"id" serial PRIMARY KEY NOT NULL,
	"name" text,
	"email" text NOT NULL,
	"asked_at" timestamp with time zone NOT NULL,
	"confirmed_at" timestamp with time zone,
	"left_at" timestamp with time zone,
	"told_at" timestamp with time zone,
	CONSTRAINT "subscriber_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "subscriber_access" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"subscriber_id" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "contact_message" ADD COLUMN "closed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "mail" ADD COLUMN "headers" jsonb;--> statement-breakpoint
ALTER TABLE "mail" ADD COLUMN "attachment" jsonb;--> statement-breakpoint
ALTER TABLE "call_request" ADD CONSTRAINT "call_request_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat" ADD CONSTRAINT "chat_session_id_session_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."session"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_message" ADD CONSTRAINT "chat_message_chat_id_chat_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chat"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_answer" ADD CONSTRAINT "contact_answer_message_id_contact_message_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."contact_message"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "partner_application" ADD CONSTRAINT "partner_application_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "partner_proposal" ADD CONSTRAINT "partner_proposal_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriber_access" ADD CONSTRAINT "subscriber_access_subscriber_id_subscriber_id_fk" FOREIGN KEY ("subscriber_id") REFERENCES "public"."subscriber"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "call_request_user_id_index" ON "call_request" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "call_request_one_waiting" ON "call_request" USING btree ("user_id") WHERE "call_request"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "chat_waiting" ON "chat" USING btree ("id") WHERE "chat"."waiting_since" is not null;--> statement-breakpoint
CREATE INDEX "chat_message_chat_id_id_index" ON "chat_message" USING btree ("chat_id","id");--> statement-breakpoint
CREATE INDEX "chat_message_unmailed" ON "chat_message" USING btree ("chat_id") WHERE "chat_message"."mailed_at" is null;--> statement-breakpoint
CREATE INDEX "contact_answer_message_id_index" ON "contact_answer" USING btree ("message_id");--> statement-breakpoint
CREATE INDEX "partner_application_user_id_index" ON "partner_application" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "partner_application_one_waiting" ON "partner_application" USING btree ("user_id") WHERE "partner_application"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "subscriber_access_subscriber_id_index" ON "subscriber_access" USING btree ("subscriber_id");--> statement-breakpoint
CREATE INDEX "contact_message_waiting" ON "contact_message" USING btree ("id") WHERE "contact_message"."closed_at" is null;